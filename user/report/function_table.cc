// SPDX-License-Identifier: Apache-2.0
#include "report/function_table.h"

#include <algorithm>
#include <tuple>

#include "model/names.h"
#include "model/ratios.h"
#include "report/call_marks.h"
#include "report/format.h"
#include "report/rows.h"
#include "report/table.h"

namespace nettoll {
namespace {

bool selected(Path path, const FunctionSelection& selection) {
  if (selection.path) return path == *selection.path;
  return path != Path::idle && path != Path::user;
}

FunctionRow row_of(const FunctionCost& function, const FunctionSelection& selection) {
  FunctionRow row;
  row.function = &function;
  if (!selection.event) return row;
  for (const auto& cell : function.cells) {
    if (cell.event != *selection.event || !selected(cell.path, selection)) continue;
    row.self.add(cell.self);
    row.inclusive.add(cell.inclusive);
    if (!row.path || cell.inclusive.value > row.in_path.value) {
      row.path = cell.path;
      row.in_path = cell.inclusive;
    }
  }
  row.several_paths = row.in_path.value < 0.9 * row.inclusive.value;
  return row;
}

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

std::string calls_only_table(const std::vector<FunctionRow>& rows, size_t shown) {
  CallMarks marks;
  TextTable table({{"function", TextTable::Kind::name},
                   {"module", TextTable::Kind::name},
                   {"calls"},
                   {"by", TextTable::Kind::text}});
  for (size_t i = 0; i < shown; ++i) {
    const FunctionCost& function = *rows[i].function;
    table.add({function.symbol.name, or_missing(function.symbol.module), format_count(function.calls),
               marks.mark(function)});
  }
  return table.render() + rest_line(rows.size(), shown) + marks.notes();
}

}  // namespace

std::vector<FunctionRow> select_functions(const CostTable& cost, const FunctionSelection& selection) {
  std::vector<FunctionRow> rows;
  for (const auto& function : cost.functions) {
    const FunctionRow row = row_of(function, selection);
    const bool called = selection.unsampled && function.calls.value_or(0) > 0;
    if (row.inclusive.samples > 0 || called) rows.push_back(row);
  }
  const auto key = [](const FunctionRow& row) {
    return std::tuple(-row.self.value, -row.inclusive.value, UINT64_MAX - row.function->calls.value_or(0));
  };
  std::sort(rows.begin(), rows.end(), [&](const FunctionRow& a, const FunctionRow& b) {
    const auto left = key(a);
    const auto right = key(b);
    return left != right ? left < right : a.function->symbol < b.function->symbol;
  });
  return rows;
}

std::string function_table(const Profile& profile, const CostTable& cost, const FunctionSelection& selection,
                           const ReportOptions& options) {
  const auto rows = select_functions(cost, selection);
  if (rows.empty()) return "";
  const size_t shown = rows_to_show(rows.size(), options);
  if (!selection.event) return calls_only_table(rows, shown);

  const uint32_t event = *selection.event;
  const EventUnit unit = profile.session.events[event].unit;
  CallMarks marks;
  TextTable table({{"function", TextTable::Kind::name},
                   {"module", TextTable::Kind::name},
                   {"path", TextTable::Kind::text},
                   {"calls"},
                   {"by", TextTable::Kind::text},
                   {"self"},
                   {"±"},
                   {"%"},
                   {"incl"},
                   {"±"},
                   {"%"},
                   {"/call"},
                   {"/packet"}});
  for (size_t i = 0; i < shown; ++i) {
    const FunctionRow& row = rows[i];
    const FunctionCost& function = *row.function;
    table.add({function.symbol.name, or_missing(function.symbol.module), path_cell(row),
               format_count(function.calls), marks.mark(function), format_estimate(unit, row.self),
               format_error(row.self), format_share(share_of_all(cost, event, row.self)),
               format_estimate(unit, row.inclusive), format_error(row.inclusive),
               format_share(share_of_all(cost, event, row.inclusive)),
               format_per(unit, function.per_call(event), function.inclusive(event)),
               format_per(unit, per_packet(cost, row), row.in_path)});
  }
  return table.render() + rest_line(rows.size(), shown) + marks.notes();
}

}  // namespace nettoll
