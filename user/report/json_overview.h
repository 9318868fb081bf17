// SPDX-License-Identifier: Apache-2.0
// The analyst's parts of the JSON report.
#pragma once

#include <nlohmann/json.hpp>

#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll {

/// Whether percentages can be trusted, and why not.
nlohmann::json percentages_json(const Profile& profile, const CostTable& cost);
/// Own cost by kernel, module, program and library.
nlohmann::json places_json(const Profile& profile, const CostTable& cost);
/// By name of the thread.
nlohmann::json comms_json(const Profile& profile, const CostTable& cost);
/// What a reader should take away; null where nothing was sampled.
nlohmann::json summary_json(const Profile& profile, const CostTable& cost);

}  // namespace nettoll
