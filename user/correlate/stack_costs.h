// SPDX-License-Identifier: Apache-2.0
// The weights of samples by stack, for those who look at call chains.
#pragma once

#include <vector>

#include "model/profile.h"
#include "model/stack_cost.h"

namespace nettoll {

/// One row for each stack and event with samples, sorted by (stack, event). Weights and paths are those that
/// correlate() uses for a window that stands alone, so that sums over these rows are its sums.
std::vector<StackCost> stack_costs(const Profile& profile);

}  // namespace nettoll
