// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/flat_profile.h"
#include "report/format.h"
#include "report/rows.h"
#include "report/shares.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {
namespace {

/// Events beside one another: two columns each, and names that leave no less than a function's name.
constexpr size_t kEventsATable = 4;

std::string flat_table(const Profile& profile, const CostTable& cost, std::span<const uint32_t> events,
                       const ReportOptions& options) {
  const auto rows = flat_profile(cost, events, options);
  if (rows.empty()) return "none reaches the limit\n";
  std::vector<TextTable::Column> columns{{"function", TextTable::Kind::name}, {"of", TextTable::Kind::name}};
  for (const uint32_t event : events) {
    columns.push_back({events.size() == 1 ? "self" : profile.session.events[event].name});
    columns.push_back(beside("incl"));
  }
  if (events.size() == 1) columns.push_back({"samples"});
  TextTable table(std::move(columns));
  const size_t shown = rows_to_show(rows.size(), options);
  for (size_t row = 0; row < shown; ++row) {
    const FlatRow& flat = rows[row];
    std::vector<std::string> cells{flat.function->symbol.name, or_missing(flat.function->symbol.module)};
    for (size_t i = 0; i < events.size(); ++i) {
      const double total = cost.events[events[i]].count;
      cells.push_back(format_part(flat.self[i], total));
      cells.push_back(profile.session.events[events[i]].chains ? format_part(flat.inclusive[i], total)
                                                               : kMissing);
    }
    if (events.size() == 1) cells.push_back(format_count(flat.self[0].samples));
    table.add(std::move(cells));
  }
  return text_of(table, options.terminal) + rest_line(rows.size(), shown);
}

}  // namespace

std::string flat_view(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  const auto sampled = sampled_events(cost);
  std::string text;
  for (size_t begin = 0; begin < sampled.size(); begin += kEventsATable) {
    const auto events = std::span(sampled).subspan(begin, std::min(kEventsATable, sampled.size() - begin));
    std::string names;
    for (const uint32_t event : events)
      names += (names.empty() ? "" : ", ") + profile.session.events[event].name;
    text += fmt::format("{}Flat profile of {}, by {}\n{}", text.empty() ? "" : "\n", names,
                        options.children ? "function with all that it calls" : "function alone",
                        flat_table(profile, cost, events, options));
  }
  return text;
}

}  // namespace nettoll
