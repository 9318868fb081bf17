// SPDX-License-Identifier: Apache-2.0
#include "report/json_chains.h"

#include <string>

#include "model/names.h"
#include "report/json_costs.h"
#include "report/shares.h"

namespace nettoll {

using nlohmann::json;

namespace {

json nodes_json(const Profile& profile, const ChainReport& report, const std::vector<ChainNode>& nodes) {
  const std::string suffix = unit_suffix(profile.session.events[report.event]);
  json list = json::array();
  for (const ChainNode& node : nodes) {
    const Symbol& symbol = profile.symbols[node.symbol];
    json row{{"function", symbol.name},
             {"cost_" + suffix, node.cost.value},
             {"cost_samples", node.cost.samples},
             {"percent", percent_of(node.cost.value, report.total)}};
    if (!symbol.module.empty()) row["module"] = symbol.module;
    if (!node.children.empty()) row["children"] = nodes_json(profile, report, node.children);
    list.push_back(std::move(row));
  }
  return list;
}

std::string_view name_of_scope(ChainScope scope) {
  switch (scope) {
    case ChainScope::leaf_from_caller:
      return "self_from_caller";
    case ChainScope::leaf_from_callee:
      return "self_from_callee";
    case ChainScope::children:
      return "children";
    case ChainScope::callers:
      return "callers";
    case ChainScope::callees:
      return "callees";
  }
  return "";
}

}  // namespace

json chains_json(const Profile& profile, const std::vector<ChainReport>& reports) {
  json list = json::array();
  for (const ChainReport& report : reports) {
    const Event& event = profile.session.events[report.event];
    json object{{"event", event.name},
                {"scope", name_of_scope(report.scope)},
                {std::string("total_") + unit_suffix(event), report.total},
                {"functions", json::array()}};
    for (const ChainEntry& entry : report.entries) {
      const Symbol& symbol = profile.symbols[entry.symbol];
      json row{{"function", symbol.name}, {"kind", name_of(symbol.kind)}};
      if (!symbol.module.empty()) row["module"] = symbol.module;
      put_estimate(row, "self", event, entry.self);
      if (event.chains) put_estimate(row, "inclusive", event, entry.inclusive);
      row["tree"] = nodes_json(profile, report, entry.roots);
      object["functions"].push_back(std::move(row));
    }
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace nettoll
