// SPDX-License-Identifier: Apache-2.0
#include "report/json_exact.h"

#include <string>

#include "model/names.h"

namespace nettoll {

using nlohmann::json;

namespace {

json function_json(const ExactCost& cost) {
  json row{{"function", cost.function},
           {"method", name_of(cost.method)},
           {"one_in", cost.one_in},
           {"calls", cost.calls},
           {"discarded",
            {{"cpu_changed", cost.discards.cpu_changed},
             {"switched", cost.discards.switched},
             {"no_room", cost.discards.no_room},
             {"missed", cost.discards.missed}}},
           {"costs", json::array()}};
  if (!cost.module.empty()) row["module"] = cost.module;
  return row;
}

json cost_json(const ExactCost& cost) {
  const std::string suffix = cost.unit == EventUnit::nanoseconds ? "_ns" : "_events";
  json row{{"event", cost.event}, {"n", cost.n}, {"unreadable", cost.discards.unreadable}};
  if (cost.calibrated) row["own_cost" + suffix] = cost.own_cost;
  if (cost.n == 0) return row;
  row["mean" + suffix] = cost.mean;
  row["p50" + suffix] = cost.p50;
  row["p90" + suffix] = cost.p90;
  row["p99" + suffix] = cost.p99;
  if (cost.n > 1) row["standard_error" + suffix] = cost.std_error;
  if (cost.calibrated) {
    row["probes_inside" + suffix] = cost.probes_inside;
    row["below_zero"] = cost.below_zero;
    row["below_probe_cost"] = cost.below_probe_cost;
  }
  return row;
}

}  // namespace

json exact_json(const Profile& profile) {
  json list = json::array();
  for (const ExactCost& cost : profile.exact) {
    if (list.empty() || list.back()["function"] != cost.function) list.push_back(function_json(cost));
    list.back()["costs"].push_back(cost_json(cost));
  }
  return list;
}

}  // namespace nettoll
