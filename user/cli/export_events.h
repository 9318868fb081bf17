// SPDX-License-Identifier: Apache-2.0
// Which events of a profile a command is about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll {

/// The events of `names`, each a name or a comma list of names, in that order and each once; for an empty
/// list all that ran. Perf's modifiers may be left out where that leaves no doubt. Usage errors: an event
/// that the profile lacks, or that never ran. Fails where none ran.
Result<std::vector<uint32_t>> choose_events(const Profile& profile, const CostTable& cost,
                                            const std::vector<std::string>& names);

}  // namespace nettoll
