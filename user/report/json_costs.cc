// SPDX-License-Identifier: Apache-2.0
#include "report/json_costs.h"

#include <algorithm>
#include <map>
#include <string>

#include "model/names.h"
#include "model/ratios.h"
#include "report/flat_profile.h"

namespace nettoll {

using nlohmann::json;

namespace {

void put_ratio(json& object, const std::string& key, const std::optional<Ratio>& ratio) {
  if (!ratio) return;
  object[key] = ratio->value;
  object[key + "_relative_error"] = ratio->relative_error;
}

template <typename T>
void put_optional(json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

/// instructions_per_cycle and misses_per_thousand_instructions of a set of estimates by event.
void put_efficiency(json& object, const Profile& profile, const std::vector<Estimate>& by_event) {
  const EventRoles roles = roles_of(profile.session.events);
  put_ratio(object, "instructions_per_cycle", instructions_per_cycle(roles, by_event));
  for (const uint32_t miss : roles.misses) {
    const auto ratio = per_thousand_instructions(roles, by_event, miss);
    if (!ratio) continue;
    json row{{"event", profile.session.events[miss].name}};
    put_ratio(row, "value", ratio);
    object["misses_per_thousand_instructions"].push_back(std::move(row));
  }
}

std::vector<Estimate> self_by_event(const FunctionCost& function, size_t events) {
  std::vector<Estimate> by_event(events);
  for (const auto& cell : function.cells) by_event[cell.event].add(cell.self);
  return by_event;
}

json function_json(const Profile& profile, const CostTable& cost, const FunctionCost& function) {
  const auto& events = profile.session.events;
  json row{{"function", function.symbol.name},
           {"kind", name_of(function.symbol.kind)},
           {"method", name_of(function.method)}};
  if (!function.symbol.module.empty()) row["module"] = function.symbol.module;
  if (!function.condition.empty()) row["condition"] = function.condition;
  if (function.calls) {
    row["calls"] = *function.calls;
    row["denominator"] = function.denominator;
  }
  row["costs"] = json::array();
  for (const auto& cell : function.cells) {
    const Event& event = events[cell.event];
    json entry{{"event", event.name}, {"path", name_of(cell.path)}};
    put_estimate(entry, "self", event, cell.self);
    if (event.chains) put_estimate(entry, "inclusive", event, cell.inclusive);
    const PathCost* path = cost.path(cell.path);
    if (path && path->packets.value_or(0) > 0 && cell.inclusive.samples > 0) {
      entry[std::string("inclusive_per_packet_") + unit_suffix(event)] =
          cell.inclusive.value / static_cast<double>(*path->packets);
    }
    row["costs"].push_back(std::move(entry));
  }
  for (uint32_t event = 0; event < events.size(); ++event) {
    if (const auto per_call = function.per_call(event)) {
      row["per_call"].push_back({{"event", events[event].name},
                                 {std::string("inclusive_") + unit_suffix(events[event]), *per_call},
                                 {"relative_error", function.inclusive(event).relative_error()}});
    }
  }
  put_efficiency(row, profile, self_by_event(function, events.size()));
  return row;
}

}  // namespace

void put_estimate(json& object, const std::string& prefix, const Event& event, const Estimate& estimate) {
  if (estimate.samples == 0) return;
  object[prefix + "_" + unit_suffix(event)] = estimate.value;
  object[prefix + "_samples"] = estimate.samples;
  object[prefix + "_relative_error"] = estimate.relative_error();
}

const char* unit_suffix(const Event& event) {
  return event.unit == EventUnit::nanoseconds ? "ns" : "events";
}

void for_each_function_json(const Profile& profile, const CostTable& cost, const ReportOptions& options,
                            const std::function<void(json)>& take) {
  const size_t limit = options.limit.value_or(0);
  size_t taken = 0;
  for (const FunctionCost& function : cost.functions) {
    if (limit > 0 && taken == limit) break;
    if (!reaches_limit(function, cost, options)) continue;
    take(function_json(profile, cost, function));
    ++taken;
  }
}

json functions_json(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  json list = json::array();
  for_each_function_json(profile, cost, options, [&](json row) { list.push_back(std::move(row)); });
  return list;
}

json paths_json(const Profile& profile, const CostTable& cost) {
  json list = json::array();
  for (const auto& path : cost.paths) {
    json row{{"path", name_of(path.path)}, {"costs", json::array()}};
    put_optional(row, "packets", path.packets);
    put_optional(row, "segments", path.segments);
    for (uint32_t i = 0; i < path.events.size(); ++i) {
      if (path.events[i].samples == 0) continue;
      const Event& event = profile.session.events[i];
      json entry{{"event", event.name}};
      put_estimate(entry, "cost", event, path.events[i]);
      if (const auto per_packet = path.per_packet(i)) {
        entry[std::string("per_packet_") + unit_suffix(event)] = *per_packet;
      }
      put_ratio(entry, "share_of_all", share_of_all(cost, i, path.events[i]));
      if (is_network(path.path)) {
        put_ratio(entry, "share_of_network", share_of_network(cost, i, path.events[i]));
      }
      row["costs"].push_back(std::move(entry));
    }
    put_efficiency(row, profile, path.events);
    list.push_back(std::move(row));
  }
  return list;
}

json cpus_json(const Profile& profile, const CostTable& cost) {
  std::map<uint32_t, json> rows;
  const auto row_of = [&](uint32_t cpu) -> json& {
    return rows.emplace(cpu, json{{"cpu", cpu}, {"costs", json::array()}}).first->second;
  };
  for (const auto& cpu : cost.cpus) {
    const Event& event = profile.session.events[cpu.event];
    json entry{{"event", event.name}, {"samples", cpu.samples}, {"paths", json::array()}};
    entry[std::string("total_") + unit_suffix(event)] = cpu.count;
    for (const Path path : kAllPaths) {
      const Estimate& spent = cpu.paths[static_cast<size_t>(path)];
      if (spent.samples == 0) continue;
      json part{{"path", name_of(path)}};
      put_estimate(part, "cost", event, spent);
      entry["paths"].push_back(std::move(part));
    }
    row_of(cpu.cpu)["costs"].push_back(std::move(entry));
  }
  for (const auto& packets : profile.packets) {
    json& row = row_of(packets.cpu);
    row["packets"].push_back(
        {{"path", name_of(packets.path)}, {"packets", packets.packets}, {"segments", packets.segments}});
  }
  json list = json::array();
  for (auto& [cpu, row] : rows) list.push_back(std::move(row));
  return list;
}

json modules_json(const Profile& profile, const CostTable& cost) {
  json list = json::array();
  for (const auto& module : cost.modules) {
    json row{{"costs", json::array()}};
    if (!module.module.empty()) row["module"] = module.module;
    for (uint32_t i = 0; i < module.events.size(); ++i) {
      if (module.events[i].samples == 0) continue;
      json entry{{"event", profile.session.events[i].name}};
      put_estimate(entry, "self", profile.session.events[i], module.events[i]);
      row["costs"].push_back(std::move(entry));
    }
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace nettoll
