// SPDX-License-Identifier: Apache-2.0
// The joined part of the JSON report.
#pragma once

#include <nlohmann/json.hpp>

#include "model/cost_table.h"
#include "model/profile.h"
#include "report/options.h"

namespace nettoll {

nlohmann::json functions_json(const Profile& profile, const CostTable& cost, const ReportOptions& options);
nlohmann::json paths_json(const Profile& profile, const CostTable& cost);
nlohmann::json cpus_json(const Profile& profile, const CostTable& cost);
nlohmann::json modules_json(const Profile& profile, const CostTable& cost);

/// Adds `<prefix>_ns` or `<prefix>_events`, `<prefix>_samples` and `<prefix>_relative_error`; nothing where
/// there is no sample.
void put_estimate(nlohmann::json& object, const std::string& prefix, const Event& event,
                  const Estimate& estimate);

/// The end of the keys that hold amounts of an event: "ns" or "events".
const char* unit_suffix(const Event& event);

}  // namespace nettoll
