// SPDX-License-Identifier: Apache-2.0
#include "report/function_selection.h"

#include <algorithm>
#include <tuple>

namespace nettoll {
namespace {

bool selected(Path path, const FunctionSelection& selection) {
  if (selection.path) return path == *selection.path;
  if (selection.scope == Scope::elsewhere) return path == Path::other;
  return is_network(path) || path == Path::own;
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

}  // namespace nettoll
