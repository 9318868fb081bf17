// SPDX-License-Identifier: Apache-2.0
#include "model/names.h"
#include "model/ratios.h"
#include "report/format.h"
#include "report/function_selection.h"
#include "tui/panes.h"
#include "tui/values.h"

namespace nettoll::tui {
namespace {

PaneColumn name_column() {
  return {.title = "function", .kind = ColumnKind::name, .width = 24, .most = 44};
}
PaneColumn module_column() {
  return {.title = "module", .kind = ColumnKind::name, .width = 8, .most = 16};
}

std::string key_of(const FunctionCost& function) {
  return function.symbol.module + ":" + function.symbol.name;
}

PaneTable calls_only(const TopData& data, const std::vector<FunctionRow>& rows) {
  PaneTable table;
  table.columns = {name_column(), {.title = "calls/s", .width = 8}, module_column()};
  table.sort = "calls/s";
  table.empty = "no function was called";
  for (const FunctionRow& row : rows) {
    table.rows.push_back(
        {key_of(*row.function),
         {text_value(row.function->symbol.name), rate_value(row.function->calls, data.profile.duration_ns),
          text_value(row.function->symbol.module)}});
  }
  return table;
}

/// A function's own cost by event in the paths that the list shows.
std::vector<Estimate> own_cost(const FunctionCost& function, size_t events, std::optional<Path> path) {
  std::vector<Estimate> by_event(events);
  for (const FunctionCell& cell : function.cells) {
    const bool listed = path ? cell.path == *path : is_network(cell.path) || cell.path == Path::own;
    if (listed) by_event[cell.event].add(cell.self);
  }
  return by_event;
}

/// The cost in the row's main path for each packet of that path.
std::optional<double> per_packet(const CostTable& cost, const FunctionRow& row) {
  const PathCost* path = row.path ? cost.path(*row.path) : nullptr;
  if (!path || path->packets.value_or(0) == 0 || row.in_path.samples == 0) return std::nullopt;
  return row.in_path.value / static_cast<double>(*path->packets);
}

std::string path_text(const FunctionRow& row) {
  if (!row.path) return kMissing;
  return std::string(name_of(*row.path)) + (row.several_paths ? "+" : "");
}

}  // namespace

PaneTable functions_pane(const TopState& state, const TopData& data) {
  const auto event = event_of(state, data);
  const auto rows = select_functions(data.cost, {event, Scope::network, state.path, !state.path});
  if (!event) return calls_only(data, rows);

  const std::vector<Event>& events = data.profile.session.events;
  const EventUnit unit = events[*event].unit;
  const EventRoles roles = roles_of(events);
  const bool efficiency = roles.cycles && roles.instructions;
  const uint64_t window = data.profile.duration_ns;

  PaneTable table;
  table.sort = "self%";
  table.empty = "no function was sampled or called";
  table.columns = {name_column(),
                   {.title = "self%"},
                   {.title = "err", .width = 5},
                   {.title = "incl%"},
                   {.title = "path", .kind = ColumnKind::text, .width = 8},
                   {.title = "/packet", .width = 8},
                   {.title = "/call", .width = 8},
                   {.title = "calls/s"}};
  if (efficiency) table.columns.push_back({.title = "IPC", .width = 5});
  table.columns.insert(table.columns.end(), {{.title = "self/s", .width = 8},
                                             {.title = "incl/s", .width = 8},
                                             {.title = "samples", .width = 7},
                                             module_column()});
  if (roles.instructions) {
    for (const uint32_t miss : roles.misses) table.columns.push_back({.title = events[miss].name + "/ki"});
  }
  for (const FunctionRow& row : rows) {
    const FunctionCost& function = *row.function;
    PaneRow out{key_of(function), {}, function.symbol.kind == SymbolKind::own ? Style::dim : Style::normal};
    out.cells = {text_value(function.symbol.name),
                 share_value(share_of_all(data.cost, *event, row.self)),
                 error_value(row.self),
                 share_value(share_of_all(data.cost, *event, row.inclusive)),
                 text_value(path_text(row)),
                 per_value(unit, per_packet(data.cost, row), row.in_path),
                 per_value(unit, function.per_call(*event), function.inclusive(*event)),
                 rate_value(function.calls, window)};
    const auto own = own_cost(function, events.size(), state.path);
    if (efficiency) out.cells.push_back(ratio_value(instructions_per_cycle(roles, own)));
    out.cells.insert(
        out.cells.end(),
        {rate_value(unit, row.self, window), rate_value(unit, row.inclusive, window),
         row.self.samples ? count_value(row.self.samples) : missing(), text_value(function.symbol.module)});
    if (roles.instructions) {
      for (const uint32_t miss : roles.misses)
        out.cells.push_back(ratio_value(per_thousand_instructions(roles, own, miss)));
    }
    table.rows.push_back(std::move(out));
  }
  return table;
}

}  // namespace nettoll::tui
