// SPDX-License-Identifier: Apache-2.0
#include "report/flat_profile.h"

#include <algorithm>
#include <utility>

#include "report/shares.h"

namespace nettoll {
namespace {

/// Whether any event's part of a row reaches the limit; a function is never smaller with what it calls.
bool reaches(const FlatRow& row, const CostTable& cost, std::span<const uint32_t> events,
             const ReportOptions& options) {
  for (size_t i = 0; i < events.size(); ++i) {
    const Estimate& part = options.children ? row.inclusive[i] : row.self[i];
    // Without a limit also those that only call others are shown.
    const Estimate& seen = options.percent_limit > 0 ? part : row.inclusive[i];
    if (seen.samples > 0 && percent_of(seen.value, cost.events[events[i]].count) >= options.percent_limit)
      return true;
  }
  return false;
}

}  // namespace

std::vector<FlatRow> flat_profile(const CostTable& cost, std::span<const uint32_t> events,
                                  const ReportOptions& options) {
  constexpr size_t kNotAsked = SIZE_MAX;
  std::vector<size_t> place(cost.events.size(), kNotAsked);
  for (size_t i = 0; i < events.size(); ++i) place[events[i]] = i;
  std::vector<FlatRow> rows;
  for (const auto& function : cost.functions) {
    FlatRow row{&function, std::vector<Estimate>(events.size()), std::vector<Estimate>(events.size())};
    for (const auto& cell : function.cells) {
      if (place[cell.event] == kNotAsked) continue;
      row.self[place[cell.event]].add(cell.self);
      row.inclusive[place[cell.event]].add(cell.inclusive);
    }
    if (reaches(row, cost, events, options)) rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [&](const FlatRow& a, const FlatRow& b) {
    for (size_t i = 0; i < events.size(); ++i) {
      const auto key = [&](const FlatRow& row) {
        std::pair<double, double> both(row.self[i].value, row.inclusive[i].value);
        if (options.children) std::swap(both.first, both.second);
        return both;
      };
      if (key(a) != key(b)) return key(a) > key(b);
    }
    return a.function->symbol < b.function->symbol;
  });
  return rows;
}

bool reaches_limit(const FunctionCost& function, const CostTable& cost, const ReportOptions& options) {
  if (options.percent_limit <= 0) return true;
  const auto reaches = [&](const EventTotal& total) {
    const Estimate part = options.children ? function.inclusive(total.event) : function.self(total.event);
    return part.samples > 0 && percent_of(part.value, total.count) >= options.percent_limit;
  };
  return std::any_of(cost.events.begin(), cost.events.end(), reaches);
}

}  // namespace nettoll
