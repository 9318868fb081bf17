// SPDX-License-Identifier: Apache-2.0
// Weights as whole numbers that still add up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "model/named_stacks.h"

namespace nettoll {

/// Rounds a row of weights so that the sum of any first n of them is the rounded sum: what rounding takes
/// from one it gives to the next. A weight may so differ by one from its own rounding.
class WholeWeights {
 public:
  uint64_t next(double weight) {
    sum_ += weight;
    const auto now = static_cast<uint64_t>(std::llround(sum_));
    return now - std::exchange(given_, std::max(given_, now));
  }

 private:
  double sum_ = 0;
  uint64_t given_ = 0;
};

/// Calls `visit(const NamedStackCost* row, uint64_t weight)` for each stack with a cost of `event`, in the
/// table's order, and last with a null row for what is in no stack. All weights together are the event's
/// total, rounded; a row whose weight comes to 0 is left out.
template <typename Visit>
void for_each_weight(const NamedStacks& costs, uint32_t event, Visit&& visit) {
  WholeWeights weights;
  for (const NamedStackCost& row : costs.costs) {
    if (row.event != event) continue;
    if (const uint64_t weight = weights.next(row.cost.value)) visit(&row, weight);
  }
  if (const uint64_t rest = weights.next(costs.unattributed[event]))
    visit(static_cast<const NamedStackCost*>(nullptr), rest);
}

}  // namespace nettoll
