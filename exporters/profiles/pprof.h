// SPDX-License-Identifier: Apache-2.0
// The profile of pprof (github.com/google/pprof, proto/profile.proto).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/cost_table.h"
#include "model/named_stacks.h"
#include "model/profile.h"

namespace nettoll {

/// A serialized message Profile, not yet packed; pprof files are gzip of it. The same input always gives the
/// same bytes.
///
/// Types of samples, in this order: `samples` (of all `events` together), `calls` where calls were counted,
/// one for each of `events`, `drops` where drops were counted. What has no stack has a stack of one frame:
/// calls that may divide a cost stand at their function, drops at the function that dropped. Weights are
/// whole and add up to the event's total (see WholeWeights).
/// Modules and files are mappings, with their build ids where those are known.
/// Labels: `path` of costs, `method` of calls, `reason` and `protocol` of drops.
std::string pprof_message(const Profile& profile, const CostTable& cost, const NamedStacks& stacks,
                          std::span<const uint32_t> events);

}  // namespace nettoll
