// SPDX-License-Identifier: Apache-2.0
// How unevenly a device spreads what it receives over its queues.
#pragma once

#include <string>

namespace nettoll {

/// Of one device with several receive queues.
struct RxImbalance {
  std::string device;
  /// Packets of the busiest queue over the mean of all queues: 1 is even, the number of queues is all on one.
  double ratio = 1;

  bool operator==(const RxImbalance&) const = default;
};

}  // namespace nettoll
