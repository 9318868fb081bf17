// SPDX-License-Identifier: Apache-2.0
// Whether tracing took so much that a reader has to know.
#pragma once

#include <string>

#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll {

/// A sentence where nettoll's own programs took more than a tenth of what the network took, or more than 2%
/// of CPU time (of the first event's total where there is no cpu-clock), and a smaller set would help. ""
/// else, and where there are too few samples to tell.
std::string own_cost_note(const Profile& profile, const CostTable& cost);

}  // namespace nettoll
