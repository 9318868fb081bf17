// SPDX-License-Identifier: Apache-2.0
// Which rights this process has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/kernel_fs.h"
#include "base/result.h"

namespace nettoll {

/// The effective capabilities in the text of /proc/<pid>/status (the line CapEff), as a bit mask.
Result<uint64_t> effective_capabilities(std::string_view status);

/// What tracing needs and `effective` lacks: CAP_BPF and CAP_PERFMON, for which CAP_SYS_ADMIN also serves
/// (capabilities(7)).
std::vector<std::string> missing_for_tracing(uint64_t effective);

/// Fails, naming what is missing, where this process may not trace.
Status check_tracing_rights(const KernelFs& fs);

}  // namespace nettoll
