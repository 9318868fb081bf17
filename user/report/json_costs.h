// SPDX-License-Identifier: Apache-2.0
// The joined part of the JSON report.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "model/cost_table.h"
#include "model/profile.h"
#include "report/options.h"

namespace nettoll {

/// Makes the row of each function in the order of the list, one at a time: all together may take more than
/// the rest of the program.
void for_each_function_json(const Profile& profile, const CostTable& cost, const ReportOptions& options,
                            const std::function<void(nlohmann::json)>& take);
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
