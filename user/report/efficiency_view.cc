// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "model/ratios.h"
#include "report/format.h"
#include "report/function_selection.h"
#include "report/rows.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {
namespace {

/// A function's own cost by event, outside of idle and user mode.
std::vector<Estimate> own_cost(const FunctionCost& function, size_t events) {
  std::vector<Estimate> by_event(events);
  for (const auto& cell : function.cells) {
    if (cell.path != Path::idle && cell.path != Path::user) by_event[cell.event].add(cell.self);
  }
  return by_event;
}

}  // namespace

std::string efficiency_view(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  const auto& events = profile.session.events;
  const EventRoles roles = roles_of(events);
  if (!roles.instructions || (!roles.cycles && roles.misses.empty())) return "";
  const auto rows =
      select_functions(cost, {roles.cycles.value_or(*roles.instructions), Scope::network, {}, false});
  if (rows.empty()) return "";

  std::vector<TextTable::Column> columns{{"function", TextTable::Kind::name}, {"IPC"}, beside("±")};
  for (const uint32_t miss : roles.misses) {
    columns.push_back({events[miss].name});
    columns.push_back(beside("±"));
  }
  TextTable table(std::move(columns));
  const size_t shown = rows_to_show(rows.size(), options);
  for (size_t i = 0; i < shown; ++i) {
    const auto own = own_cost(*rows[i].function, events.size());
    const auto ipc = instructions_per_cycle(roles, own);
    std::vector<std::string> cells{rows[i].function->symbol.name, format_ratio(ipc),
                                   ipc ? format_error(ipc->relative_error) : kMissing};
    for (const uint32_t miss : roles.misses) {
      const auto ratio = per_thousand_instructions(roles, own, miss);
      cells.push_back(format_ratio(ratio));
      cells.push_back(ratio ? format_error(ratio->relative_error) : kMissing);
    }
    table.add(std::move(cells));
  }
  return "Instructions per cycle, and misses per thousand instructions, of the function itself\n" +
         text_of(table, options.terminal) + rest_line(rows.size(), shown);
}

}  // namespace nettoll
