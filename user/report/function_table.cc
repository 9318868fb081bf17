// SPDX-License-Identifier: Apache-2.0
#include "report/function_table.h"

#include <utility>

#include "model/names.h"
#include "model/ratios.h"
#include "report/call_marks.h"
#include "report/format.h"
#include "report/rows.h"
#include "report/table.h"

namespace nettoll {
namespace {

/// The cost in the row's main path for each packet of that path.
std::optional<double> per_packet(const CostTable& cost, const FunctionRow& row) {
  const PathCost* path = row.path ? cost.path(*row.path) : nullptr;
  if (!path || !path->packets || *path->packets == 0 || row.in_path.samples == 0) return std::nullopt;
  return row.in_path.value / static_cast<double>(*path->packets);
}

std::string path_cell(const FunctionRow& row) {
  if (!row.path) return kMissing;
  return std::string(name_of(*row.path)) + (row.several_paths ? "+" : "");
}

std::string calls_only_table(const std::vector<FunctionRow>& rows, size_t shown,
                             const ReportOptions& options) {
  CallMarks marks;
  TextTable table({{"function", TextTable::Kind::name},
                   {"module", TextTable::Kind::name},
                   {"calls"},
                   {"by", TextTable::Kind::text, true}});
  for (size_t i = 0; i < shown; ++i) {
    const FunctionCost& function = *rows[i].function;
    table.add({function.symbol.name, or_missing(function.symbol.module), format_count(function.calls),
               marks.mark(function)});
  }
  return text_of(table, options.terminal) + rest_line(rows.size(), shown) + marks.notes();
}

}  // namespace

std::string function_table(const Profile& profile, const CostTable& cost, const FunctionSelection& selection,
                           const ReportOptions& options) {
  const auto rows = select_functions(cost, selection);
  if (rows.empty()) return "";
  const size_t shown = rows_to_show(rows.size(), options);
  if (!selection.event) return calls_only_table(rows, shown, options);

  const uint32_t event = *selection.event;
  const EventUnit unit = profile.session.events[event].unit;
  CallMarks marks;
  std::vector<TextTable::Column> columns{{"function", TextTable::Kind::name},
                                         {"module", TextTable::Kind::name}};
  if (!selection.path) columns.push_back({"path", TextTable::Kind::text});
  columns.insert(columns.end(), {{"calls"},
                                 {"by", TextTable::Kind::text, true},
                                 {"self"},
                                 beside("±"),
                                 beside("%"),
                                 {"incl"},
                                 beside("±"),
                                 beside("%"),
                                 {"/call"},
                                 {"/packet"}});
  TextTable table(std::move(columns));
  for (size_t i = 0; i < shown; ++i) {
    const FunctionRow& row = rows[i];
    const FunctionCost& function = *row.function;
    std::vector<std::string> cells{function.symbol.name, or_missing(function.symbol.module)};
    if (!selection.path) cells.push_back(path_cell(row));
    const Estimate inclusive = profile.session.events[event].chains ? row.inclusive : Estimate{};
    cells.insert(cells.end(),
                 {format_count(function.calls), marks.mark(function), format_estimate(unit, row.self),
                  format_error(row.self), format_share(share_of_all(cost, event, row.self)),
                  format_estimate(unit, inclusive), format_error(inclusive),
                  format_share(share_of_all(cost, event, inclusive)),
                  format_per(unit, function.per_call(event), function.inclusive(event)),
                  format_per(unit, per_packet(cost, row), row.in_path)});
    table.add(std::move(cells));
  }
  return text_of(table, options.terminal) + rest_line(rows.size(), shown) + marks.notes();
}

}  // namespace nettoll
