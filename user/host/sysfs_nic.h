// SPDX-License-Identifier: Apache-2.0
// Network devices as /sys/class/net shows them (Documentation/ABI/testing/sysfs-class-net*).
#pragma once

#include <string>
#include <vector>

#include "base/kernel_fs.h"
#include "model/host_state.h"

namespace nettoll {

/// All devices by ifindex, with their queues and link counters. A file that cannot be read leaves its value
/// absent; one that holds something else gets a note. Fails where the folder cannot be listed.
Result<std::vector<Nic>> read_nics(const KernelFs& fs, std::vector<std::string>& notes);

}  // namespace nettoll
