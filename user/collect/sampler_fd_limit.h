// SPDX-License-Identifier: Apache-2.0
// RLIMIT_NOFILE: events times CPUs pass the usual 1024 from some 200 CPUs on.
#pragma once

#include <cstdint>

#include "base/kernel_fs.h"

namespace nettoll {

/// Descriptors that are open in this process; an estimate where /proc/self/fd cannot be listed.
uint64_t open_descriptors(const KernelFs& fs);

/// Raises the soft limit to `need` where it is lower, as far as the hard limit lets it, which it raises too
/// if permitted. Returns the limit in force.
uint64_t raise_fd_limit(uint64_t need);

}  // namespace nettoll
