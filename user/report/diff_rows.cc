// SPDX-License-Identifier: Apache-2.0
#include "report/diff_rows.h"

#include <algorithm>
#include <cmath>

namespace nettoll {
namespace {

double sort_key(const FunctionChange& row, DiffSort sort) {
  switch (sort) {
    case DiffSort::self:
      return std::abs(row.self.difference());
    case DiffSort::inclusive:
      return std::abs(row.inclusive.difference());
    case DiffSort::call:
      return std::abs(row.per_call.relative().value_or(0));
    case DiffSort::change:
    case DiffSort::name:
      break;
  }
  return 0;
}

}  // namespace

std::vector<const FunctionChange*> rows_of(const EventDiff& event, const DiffViewOptions& options) {
  std::vector<const FunctionChange*> rows;
  for (const FunctionChange& row : event.functions) {
    if (options.all || row.named || row.significant() || row.per_call.significant) rows.push_back(&row);
  }
  if (options.sort == DiffSort::change) return rows;
  std::stable_sort(rows.begin(), rows.end(), [&](const FunctionChange* x, const FunctionChange* y) {
    if (options.sort == DiffSort::name) return x->symbol < y->symbol;
    return sort_key(*x, options.sort) > sort_key(*y, options.sort);
  });
  return rows;
}

std::string_view name_of(DiffPer per) {
  switch (per) {
    case DiffPer::packet:
      return "packet";
    case DiffPer::call:
      return "call";
    case DiffPer::second:
      return "second";
    case DiffPer::share:
      return "share";
  }
  return "";
}

}  // namespace nettoll
