// SPDX-License-Identifier: Apache-2.0
// Giving up rights that are not needed any more.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace nettoll {

/// Whether perf_event_open(2) lets CAP_SYS_ADMIN alone in, whatever CAP_PERFMON says: a patch of Debian's and
/// others' kernels does with a kernel.perf_event_paranoid above 2 (perf_paranoid_any()), Debian's own
/// setting.
inline bool perf_is_for_administrators(int64_t paranoid) {
  return paranoid > 2;
}

/// Of the capabilities in `held`, as a bit mask, those that a tracer needs while it runs: to attach to
/// functions of modules that come (CAP_BPF, CAP_PERFMON, or CAP_SYS_ADMIN where one of them is missing), to
/// sample CPUs that come (CAP_PERFMON, or CAP_SYS_ADMIN where `administrators_perf`; CAP_IPC_LOCK for
/// the rings), to read addresses of what is new in /proc/kallsyms (CAP_SYSLOG).
uint64_t rights_for_running(uint64_t held, bool administrators_perf);

/// "CAP_BPF CAP_PERFMON" as capabilities(7) names them; "none".
std::string rights_text(uint64_t mask);

/// Leaves this thread, and those that it starts from now on, none but the capabilities in `mask`, and no way
/// to get others back: not by execve(2) (no_new_privs, ambient set), and, where it may be changed, not in the
/// bounding set. To be called before other threads are started, which keep theirs.
Status keep_rights(uint64_t mask);

}  // namespace nettoll
