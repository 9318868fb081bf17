// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/names.h"
#include "model/ratios.h"
#include "report/cpu_shares.h"
#include "report/format.h"
#include "report/rows.h"
#include "report/shares.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {
namespace {

/// A column of names, then one for each event.
TextTable table_of(const Profile& profile, const char* first, const std::vector<uint32_t>& events) {
  std::vector<TextTable::Column> columns{{first, TextTable::Kind::name}};
  for (const uint32_t event : events) columns.push_back({profile.session.events[event].name});
  return TextTable(std::move(columns));
}

std::string by_cpu(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  if (profile.foreign && !profile.foreign->cpus_known)
    return "By CPU: the samples of this capture do not say their CPU\n";
  const auto cpus = cpu_shares(profile.session.events, cost);
  const auto clock = roles_of(profile.session.events).cpu_clock;
  Estimate busy;
  for (const CpuShare& cpu : cpus) {
    if (cpu.busy) busy.add(*cpu.busy);
  }
  std::vector<TextTable::Column> columns{
      {"CPU"}, {"state", TextTable::Kind::text}, {"busy"}, {"idle"}, {"of all busy time"}};
  std::vector<uint32_t> others;
  for (const auto& total : cost.events) {
    if (!total.known() || total.event == clock) continue;
    others.push_back(total.event);
    columns.push_back({"of " + profile.session.events[total.event].name});
  }
  TextTable table(std::move(columns));
  for (const CpuShare& cpu : cpus) {
    const auto of_time = [&](const std::optional<Estimate>& part) {
      if (!part) return std::string(kMissing);
      const bool few = cpu.busy->samples + cpu.idle->samples < Estimate::kEnough;
      return cpu.whole > 0 ? (few ? "~" : "") + format_percent(part->value / cpu.whole) : kMissing;
    };
    std::vector<std::string> cells{std::to_string(cpu.cpu), or_missing(std::string(cpu_state(cpu))),
                                   of_time(cpu.busy), of_time(cpu.idle),
                                   cpu.busy ? format_part(*cpu.busy, busy.value) : kMissing};
    for (const uint32_t event : others) {
      const double total = cost.events[event].count;
      cells.push_back(total > 0 ? format_percent(cpu.events[event].value / total) : kMissing);
    }
    table.add(std::move(cells));
  }
  if (table.empty()) return "By CPU: nothing was sampled or counted\n";
  return fmt::format("By CPU: busy and idle by {}, judged by stacks\n{}",
                     clock ? "cpu-clock" : "cpu-clock, which was not sampled",
                     text_of(table, options.terminal));
}

std::string by_path(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  const auto events = sampled_events(cost);
  TextTable table = table_of(profile, "path", events);
  for (const PathCost& path : cost.paths) {
    std::vector<std::string> cells{std::string(name_of(path.path))};
    for (const uint32_t event : events)
      cells.push_back(format_part(path.events[event], cost.events[event].count));
    table.add(std::move(cells));
  }
  return "By path\n" + text_of(table, options.terminal);
}

std::string by_comm(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  if (!profile.foreign)
    return "By comm: a recording of nettoll does not hold the names of threads; perf.data and the text of "
           "perf script do\n";
  const auto events = sampled_events(cost);
  std::map<std::string, std::vector<Estimate>> sums;
  for (const CommSamples& row : profile.foreign->comms) {
    auto& sum = sums[row.comm];
    sum.resize(cost.events.size());
    sum[row.event].add({static_cast<double>(row.period), row.samples});
  }
  using Row = std::pair<std::string, std::vector<Estimate>>;
  std::vector<Row> rows(sums.begin(), sums.end());
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    for (const uint32_t event : events) {
      if (a.second[event].value != b.second[event].value)
        return a.second[event].value > b.second[event].value;
    }
    return false;
  });
  if (rows.empty()) return "By comm: the capture does not say the names of threads\n";
  TextTable table = table_of(profile, "comm", events);
  const size_t shown = rows_to_show(rows.size(), options);
  for (size_t i = 0; i < shown; ++i) {
    std::vector<std::string> cells{or_missing(rows[i].first)};
    for (const uint32_t event : events)
      cells.push_back(format_part(rows[i].second[event], cost.events[event].count));
    table.add(std::move(cells));
  }
  return "By comm\n" + text_of(table, options.terminal) + rest_line(rows.size(), shown);
}

}  // namespace

std::string by_view(const Profile& profile, const CostTable& cost, Grouping by,
                    const ReportOptions& options) {
  switch (by) {
    case Grouping::cpu:
      return by_cpu(profile, cost, options);
    case Grouping::module:
      return places_view(profile, cost, options);
    case Grouping::path:
      return by_path(profile, cost, options);
    case Grouping::comm:
      return by_comm(profile, cost, options);
  }
  return "";
}

}  // namespace nettoll
