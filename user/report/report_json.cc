// SPDX-License-Identifier: Apache-2.0
// The keys. Those marked ? are absent where the thing was not measured; an amount key ends in _ns for events
// that count time and in _events for all others (X below); every estimate X comes with X's _samples and
// _relative_error (1/sqrt(samples); below 16 samples take it as too few).
//
//   schema                 1; raised when a key changes its meaning or goes
//   session                host, kernel, arch, version, set?, cpus_online?, hooks_per_packet?, drop_reasons
//   (bool),
//                          functions_counted, notes []
//   window                 duration_ns?, wall_start_unix_ns?
//   events []              name, unit ("ns", "events"), kernel_only, timer, frequency_hz? or period?,
//   samples?,
//                          total_X? (exact), total_standard_error_X? (of scaling where the event shared a
//                          counter), unattributed_X?, pending_X?, unsampled_X?, running_ratio? (smallest of
//                          all CPUs)
//   missing_events []      name, reason
//   losses []              kind, subject?, count
//   functions []           function, module?, kind, method, calls?, denominator? (whether calls may divide),
//                          condition?, costs [] (event, path, self_X?, inclusive_X, inclusive_per_packet_X?),
//                          per_call? [] (event, inclusive_X, relative_error), instructions_per_cycle?,
//                          misses_per_thousand_instructions? [] (event, value), both of self cost
//   exact? []              function, module?, method, one_in, calls,
//                          discarded (cpu_changed, switched, no_room, missed),
//                          costs [] (event, where "time" is the time from entry to exit; n, unreadable,
//                          mean_X?, standard_error_X?, p50_X?, p90_X?, p99_X?; own_cost_X?, probes_inside_X?
//                          (both taken off), below_zero?, below_probe_cost?)
//   paths []               path, packets?, segments?, costs [] (event, cost_X, per_packet_X?, share_of_all?,
//                          share_of_network?), instructions_per_cycle?, misses_per_thousand_instructions?
//   cpus []                cpu, costs [] (event, samples, total_X, paths [] (path, cost_X)),
//                          packets? [] (path, packets, segments)
//   modules []             module?, costs [] (event, self_X)
//   napi []                device?, netns?, ifindex?, cpu, polls, packets, budget_exhausted
//   queues []              device?, netns?, ifindex?, queue?, packets
//   softirqs []            vector, cpu, runs, time_ns
//   drops []               reason, subsystem?, function?, module?, protocol?, device?, netns?, packets,
//                          packets_per_second?
//   percentages            trust ("good", "fair", "poor"), reasons []
//   places []              place, kind, module?, costs [] (event, percent of its total, self_X): code by
//                          kernel, module, program and library
//   chains? []             event, scope ("self_from_caller", "self_from_callee", "children", "callers"),
//                          total_X, functions [] (function, kind, module?, self_X?, inclusive_X?, tree [] of
//                          nodes: function, module?, cost_X, cost_samples, percent of the event, children?
//                          [] of nodes)
//   callers? [], callees? []   the same of one function. Where they or `--by` are asked for, only session,
//                          window, events, losses, percentages and what was asked for are there
//   comms? []              comm, event, percent, cost_X: by name of the thread
//   summary?               event, idle_X?, places [] (place, percent), hot [] (function, kind, module?,
//                          percent, self_X, chain? [] of names from the function outwards, chain_percent?)
//   observations?          findings [], checks [], as diagnosis_json() has them, with confidence?, doubts?
//   selection?             which samples the report is of; then napi, queues, softirqs, drops are absent
//   foreign?               of another tool's capture: tool ("perf.data", "perf script"), command?,
//   cpu_model?, cpus_known, ending? ("cut" or "damaged": more than `losses` has is missing, how much is not
//   known)
//                          first_ns? (time of the first sample), unnamed [] (cause, samples, callers: code
//                          without a name). Then napi, queues, softirqs, drops, session's drop_reasons and
//                          functions_counted are absent, and cpus where they are not known
#include "report/report_json.h"

#include <algorithm>
#include <string>

#include "model/names.h"
#include "report/chain_report.h"
#include "report/json_chains.h"
#include "report/json_costs.h"
#include "report/json_exact.h"
#include "report/json_net.h"
#include "report/json_overview.h"
#include "report/json_text.h"
#include "report/observations_view.h"

namespace nettoll {

using nlohmann::json;

namespace {

json session_json(const Session& session) {
  const auto counted = std::count_if(session.functions.begin(), session.functions.end(),
                                     [](const auto& f) { return is_counted(f.state); });
  json object{{"host", session.host},
              {"kernel", session.kernel},
              {"arch", session.arch},
              {"version", session.version},
              {"drop_reasons", session.drop_reasons},
              {"functions_counted", counted},
              {"notes", session.notes}};
  if (!session.set.empty()) object["set"] = session.set;
  if (session.cpus_online) object["cpus_online"] = session.cpus_online;
  if (session.hooks_per_packet > 0) object["hooks_per_packet"] = session.hooks_per_packet;
  return object;
}

json window_json(const Profile& profile) {
  json object = json::object();
  if (profile.duration_ns) object["duration_ns"] = profile.duration_ns;
  if (profile.wall_start_ns) object["wall_start_unix_ns"] = profile.wall_start_ns;
  return object;
}

json event_json(const Event& event, const EventTotal& total) {
  const std::string suffix = unit_suffix(event);
  json object{
      {"name", event.name}, {"unit", suffix}, {"kernel_only", event.kernel_only}, {"timer", event.timer}};
  if (event.frequency) object["frequency_hz"] = event.frequency;
  if (event.period) object["period"] = event.period;
  if (total.running_ratio) object["running_ratio"] = *total.running_ratio;
  if (!total.known()) return object;
  object["samples"] = total.samples;
  object["total_" + suffix] = total.count;
  if (total.scaling_error) object["total_standard_error_" + suffix] = *total.scaling_error;
  if (total.unattributed > 0) object["unattributed_" + suffix] = total.unattributed;
  if (total.pending > 0) object["pending_" + suffix] = total.pending;
  if (total.unsampled > 0) object["unsampled_" + suffix] = total.unsampled;
  return object;
}

json events_json(const Profile& profile, const CostTable& cost) {
  json list = json::array();
  for (const auto& total : cost.events)
    list.push_back(event_json(profile.session.events[total.event], total));
  return list;
}

/// What another tool's capture says of itself.
void put_foreign(const Foreign& foreign, json& report) {
  if (!foreign.cpus_known) report.erase("cpus");
  json object{{"tool", foreign.tool}, {"cpus_known", foreign.cpus_known}, {"unnamed", json::array()}};
  if (foreign.ending != Ending::whole) object["ending"] = foreign.ending == Ending::cut ? "cut" : "damaged";
  if (!foreign.command.empty()) object["command"] = foreign.command;
  if (!foreign.cpu_model.empty()) object["cpu_model"] = foreign.cpu_model;
  for (const Unnamed& row : foreign.unnamed) {
    object["unnamed"].push_back(
        {{"cause", name_of(row.cause)}, {"samples", row.samples}, {"callers", row.callers}});
  }
  if (foreign.first_ns) object["first_ns"] = *foreign.first_ns;
  report["foreign"] = std::move(object);
}

/// What only nettoll counts, where a report is of samples alone.
void drop_counted(json& report) {
  for (const char* key : {"napi", "queues", "softirqs", "drops"}) report.erase(key);
  for (const char* key : {"drop_reasons", "functions_counted"}) report["session"].erase(key);
}

json missing_json(const Session& session) {
  json list = json::array();
  for (const auto& event : session.missing_events)
    list.push_back({{"name", event.name}, {"reason", event.reason}});
  return list;
}

/// Only what was asked for, and what is needed to read it.
json focus_json(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  json report = {{"schema", 1},
                 {"session", session_json(profile.session)},
                 {"window", window_json(profile)},
                 {"events", events_json(profile, cost)},
                 {"losses", losses_json(profile)},
                 {"percentages", percentages_json(profile, cost)}};
  if (!options.callers.empty())
    report["callers"] =
        chains_json(profile, function_trees(profile, cost, ChainScope::callers, options.callers, options));
  if (!options.callees.empty())
    report["callees"] =
        chains_json(profile, function_trees(profile, cost, ChainScope::callees, options.callees, options));
  if (options.by == Grouping::cpu && (!profile.foreign || profile.foreign->cpus_known))
    report["cpus"] = cpus_json(profile, cost);
  if (options.by == Grouping::module) report["places"] = places_json(profile, cost);
  if (options.by == Grouping::path) report["paths"] = paths_json(profile, cost);
  if (options.by == Grouping::comm && profile.foreign) report["comms"] = comms_json(profile, cost);
  return report;
}

/// All but the functions, whose key stands for them.
json without_functions(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  json report = {{"schema", 1},
                 {"session", session_json(profile.session)},
                 {"window", window_json(profile)},
                 {"events", events_json(profile, cost)},
                 {"missing_events", missing_json(profile.session)},
                 {"losses", losses_json(profile)},
                 {"functions", nullptr},
                 {"paths", paths_json(profile, cost)},
                 {"cpus", cpus_json(profile, cost)},
                 {"modules", modules_json(profile, cost)},
                 {"napi", napi_json(profile)},
                 {"queues", queues_json(profile)},
                 {"softirqs", softirqs_json(profile)},
                 {"drops", drops_json(profile)}};
  if (!profile.exact.empty()) report["exact"] = exact_json(profile);
  report["percentages"] = percentages_json(profile, cost);
  report["places"] = places_json(profile, cost);
  if (options.chains)
    report["chains"] = chains_json(profile, chain_reports(profile, cost, options, options.limit.value_or(0)));
  if (auto summary = summary_json(profile, cost); !summary.is_null()) report["summary"] = std::move(summary);
  if (options.observations) report["observations"] = observations_json(*options.observations);
  if (profile.foreign || !options.selection.empty()) drop_counted(report);
  if (profile.foreign) put_foreign(*profile.foreign, report);
  if (!options.selection.empty()) report["selection"] = options.selection;
  return report;
}

}  // namespace

json report_json(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  if (options.focused()) {
    json report = focus_json(profile, cost, options);
    if (!options.selection.empty()) report["selection"] = options.selection;
    return report;
  }
  json report = without_functions(profile, cost, options);
  report["functions"] = functions_json(profile, cost, options);
  return report;
}

Status write_report_json(const Profile& profile, const CostTable& cost, const ReportOptions& options,
                         ByteSink& sink) {
  if (options.focused()) return sink.write(json_text(report_json(profile, cost, options)) + "\n");
  // No string of JSON holds the end of a line, so that this is the key of the outermost object.
  constexpr std::string_view kKey = "\n  \"functions\": ";
  const std::string rest = json_text(without_functions(profile, cost, options));
  const size_t place = rest.find(kKey) + kKey.size();
  const size_t behind = rest.find_first_of(",\n", place);

  constexpr size_t kPiece = 64 << 10;
  std::string text = rest.substr(0, place) + "[";
  Status status;
  bool any = false;
  for_each_function_json(profile, cost, options, [&](const json& row) {
    text += any ? ",\n    " : "\n    ";
    any = true;
    for (const char c : json_text(row)) {
      text += c;
      if (c == '\n') text += "    ";
    }
    if (!status || text.size() < kPiece) return;
    status = sink.write(text);
    text.clear();
  });
  if (!status) return status;
  text += any ? "\n  ]" : "]";
  text.append(rest, behind);
  return sink.write(text + "\n");
}

}  // namespace nettoll
