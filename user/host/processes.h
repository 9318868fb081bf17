// SPDX-License-Identifier: Apache-2.0
// Processes and kernel threads that bear on the network.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "base/kernel_fs.h"

namespace nettoll {

struct NetProcesses {
  /// Whether irqbalance runs. Absent where it was not found among processes that are not the host's: those of
  /// a PID namespace, where no kernel thread shows.
  std::optional<bool> irqbalance;
  std::map<uint32_t, uint64_t> ksoftirqd_ticks;  ///< by CPU id, clock ticks
};

/// One walk over /proc. Processes that end meanwhile are passed over.
Result<NetProcesses> read_net_processes(const KernelFs& fs);

}  // namespace nettoll
