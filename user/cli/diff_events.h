// SPDX-License-Identifier: Apache-2.0
// Which events of a comparison are shown and judged.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "correlate/diff_basis.h"
#include "model/cost_diff.h"

namespace nettoll {

/// Leaves in `diff` the events of `names` alone, in their order; all for no names. Names are of A's events,
/// as choose_events() takes them. Usage errors: an event that A lacks, and one that was not compared.
Status keep_events(CostDiff& diff, const DiffInput& a, const std::vector<std::string>& names);

}  // namespace nettoll
