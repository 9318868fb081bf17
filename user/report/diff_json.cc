// SPDX-License-Identifier: Apache-2.0
// Schema 1. A key with ? is absent where there is nothing to say.
//
//   a, b          file, tool, host?, kernel?, duration_ns?, packets?, ending? ("cut", "damaged")
//   per           "packet", "call", "second", "share": what costs of functions are divided by
//   totals_per    the same for totals, paths, modules and drops
//   packet_path?  "rx" or "tx": whose packets
//   paths []      names of those compared
//   paths_compare false where one side lacks names of the kernel, or call chains: all paths stand together
//   notes []
//   uneven_names []  module?, samples_a, samples_b, unnamed_a?, unnamed_b? (parts of those samples): modules
//   whose
//                 functions are not compared, since one side names less of them
//   not_compared [] names of functions asked for that are of such modules
//   events []     event, unit ("events", "ns"), total (CHANGE), visible?,
//                 spread, tested, significant_functions,
//                 paths [] (path, cost (CHANGE), packets_a?, packets_b?),
//                 modules [] (module?, self (CHANGE)),
//                 functions [] (function, module?, function_a?, module_a?, in ("both", "a", "b"), named,
//                 self, inclusive?, per_call? (CHANGE), calls_a?, calls_b?)
//   drops? []     reason, subsystem, packets_a, packets_b, rate_a, rate_b (a packet or a second)
//
//   CHANGE        a?, b?, difference, relative?, samples_a, samples_b, standard_error?, p?, q?, significant;
//                 a share is a part of 1. standard_error, p and q are absent where samples were too few to
//                 test
#include "report/diff_json.h"

#include <algorithm>
#include <string>

#include "model/names.h"
#include "report/diff_rows.h"

namespace nettoll {

using nlohmann::json;

namespace {

template <typename T>
void put(json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

void put(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

json change_json(const Change& change) {
  json object{{"difference", change.difference()},
              {"samples_a", change.samples_a},
              {"samples_b", change.samples_b},
              {"significant", change.significant}};
  put(object, "a", change.a);
  put(object, "b", change.b);
  put(object, "relative", change.relative());
  if (change.standard_error) {
    object["standard_error"] = *change.standard_error;
    object["p"] = change.p;
    object["q"] = change.q;
  }
  return object;
}

json side_json(const DiffSide& side) {
  json object{{"file", side.file}, {"tool", side.tool}};
  put(object, "host", side.host);
  put(object, "kernel", side.kernel);
  if (side.duration_ns) object["duration_ns"] = side.duration_ns;
  put(object, "packets", side.packets);
  if (side.ending != Ending::whole) object["ending"] = side.ending == Ending::cut ? "cut" : "damaged";
  return object;
}

json function_json(const FunctionChange& row) {
  json object{{"function", row.symbol.name},
              {"in", row.in_a ? (row.in_b ? "both" : "a") : "b"},
              {"named", row.named},
              {"self", change_json(row.self)}};
  if (row.inclusive.a || row.inclusive.b) object["inclusive"] = change_json(row.inclusive);
  put(object, "module", row.symbol.module);
  if (row.symbol_a) {
    put(object, "function_a", row.symbol_a->name);
    put(object, "module_a", row.symbol_a->module);
  }
  if (row.per_call.a || row.per_call.b) object["per_call"] = change_json(row.per_call);
  put(object, "calls_a", row.calls_a);
  put(object, "calls_b", row.calls_b);
  return object;
}

json event_json(const EventDiff& event, const DiffViewOptions& options) {
  const auto changed = std::count_if(event.functions.begin(), event.functions.end(),
                                     [](const FunctionChange& row) { return row.significant(); });
  json object{{"event", event.name},
              {"unit", event.unit == EventUnit::nanoseconds ? "ns" : "events"},
              {"total", change_json(event.total)},
              {"spread", event.spread},
              {"tested", event.tested},
              {"significant_functions", changed},
              {"paths", json::array()},
              {"modules", json::array()},
              {"functions", json::array()}};
  put(object, "visible", event.visible);
  for (const PathChange& row : event.paths) {
    json path{{"path", name_of(row.path)}, {"cost", change_json(row.cost)}};
    put(path, "packets_a", row.packets_a);
    put(path, "packets_b", row.packets_b);
    object["paths"].push_back(std::move(path));
  }
  for (const ModuleChange& row : event.modules) {
    json module{{"self", change_json(row.self)}};
    put(module, "module", row.module);
    object["modules"].push_back(std::move(module));
  }
  const auto rows = rows_of(event, options);
  const size_t limit = options.rows.limit.value_or(0);
  const size_t shown = limit == 0 ? rows.size() : std::min(limit, rows.size());
  for (size_t i = 0; i < shown; ++i) object["functions"].push_back(function_json(*rows[i]));
  return object;
}

}  // namespace

json diff_json(const CostDiff& diff, const DiffViewOptions& options) {
  json object{{"schema", 1},
              {"a", side_json(diff.a)},
              {"b", side_json(diff.b)},
              {"per", name_of(diff.per)},
              {"totals_per", name_of(diff.totals_per)},
              {"paths", json::array()},
              {"paths_compare", diff.paths_compare},
              {"notes", diff.notes},
              {"uneven_names", json::array()},
              {"not_compared", diff.not_compared},
              {"events", json::array()}};
  if (diff.packet_path) object["packet_path"] = name_of(*diff.packet_path);
  for (const Path path : diff.paths) object["paths"].push_back(name_of(path));
  for (const UnevenNames& row : diff.uneven_names) {
    json names{{"samples_a", row.samples_a}, {"samples_b", row.samples_b}};
    put(names, "module", row.module);
    put(names, "unnamed_a", row.unnamed_a);
    put(names, "unnamed_b", row.unnamed_b);
    object["uneven_names"].push_back(std::move(names));
  }
  for (const EventDiff& event : diff.events) object["events"].push_back(event_json(event, options));
  if (diff.drops) {
    object["drops"] = json::array();
    for (const DropChange& row : *diff.drops) {
      object["drops"].push_back({{"reason", row.reason},
                                 {"subsystem", row.subsystem},
                                 {"packets_a", row.packets_a},
                                 {"packets_b", row.packets_b},
                                 {"rate_a", row.rate_a},
                                 {"rate_b", row.rate_b}});
    }
  }
  return object;
}

}  // namespace nettoll
