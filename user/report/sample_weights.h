// SPDX-License-Identifier: Apache-2.0
// What each row of samples stands for.
#pragma once

#include <vector>

#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll {

/// The weight of each of Profile::samples, in events: its part of what was counted on its CPU, so that the
/// weights of an event add up to what functions have in `cost`, which must be the join of this profile. Where
/// nothing was counted a row weighs the sum of its periods, exactly.
std::vector<double> sample_weights(const Profile& profile, const CostTable& cost);

}  // namespace nettoll
