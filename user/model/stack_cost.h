// SPDX-License-Identifier: Apache-2.0
// What each call stack cost: the join's result before it is summed by function.
#pragma once

#include <cstdint>

#include "model/cost_table.h"
#include "model/net.h"

namespace nettoll {

/// One stack and one event, over all CPUs.
struct StackCost {
  uint32_t stack = 0;  ///< place in Profile::stacks; never a stack without frames
  uint32_t event = 0;
  Path path = Path::other;
  Estimate cost;
  /// The sum of the squares of what each sample stands for: samples of unequal weight tell less than as many
  /// of equal weight, and a share's error needs to know.
  double squares = 0;

  bool operator==(const StackCost&) const = default;
};

}  // namespace nettoll
