// SPDX-License-Identifier: Apache-2.0
// Which memory node a CPU is on.
#pragma once

#include <cstdint>
#include <map>

#include "base/kernel_fs.h"

namespace nettoll {

/// Nodes by CPU id, of /sys/devices/system/node/node*/cpulist. Empty where the kernel knows no nodes.
std::map<uint32_t, int> read_cpu_nodes(const KernelFs& fs);

}  // namespace nettoll
