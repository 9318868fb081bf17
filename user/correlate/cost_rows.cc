// SPDX-License-Identifier: Apache-2.0
#include "correlate/cost_rows.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "correlate/function_index.h"

namespace nettoll {
namespace {

/// Largest inclusive cost of the first event first, then by name.
void sort_functions(std::vector<FunctionCost>& rows) {
  struct Key {
    double cost;
    uint32_t row;
  };
  std::vector<Key> keys;
  keys.reserve(rows.size());
  for (uint32_t i = 0; i < rows.size(); ++i) keys.push_back({rows[i].inclusive(0).value, i});
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.cost != b.cost) return a.cost > b.cost;
    return rows[a.row].symbol < rows[b.row].symbol;
  });
  std::vector<FunctionCost> sorted;
  sorted.reserve(rows.size());
  for (const Key& key : keys) sorted.push_back(std::move(rows[key.row]));
  rows = std::move(sorted);
}

}  // namespace

std::vector<FunctionCost> function_rows(const Profile& profile, const std::vector<uint32_t>& first,
                                        const FunctionSums& sums) {
  const auto counted_symbols = symbols_of_functions(profile, first);
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<FunctionCost> rows;
  std::vector<uint32_t> row_of(profile.symbols.size(), kNone);
  for (uint32_t symbol = 0; symbol < profile.symbols.size(); ++symbol) {
    if (first[symbol] != symbol) continue;
    auto cells = sums.function_cells(symbol);
    if (cells.empty()) continue;
    row_of[symbol] = static_cast<uint32_t>(rows.size());
    FunctionCost row;
    row.symbol = profile.symbols[symbol];
    row.cells = std::move(cells);
    rows.push_back(std::move(row));
  }

  // Why a sampled function's calls are not counted is worth a footnote too, so conditions come first.
  for (uint32_t i = 0; i < counted_symbols.size(); ++i) {
    const auto symbol = counted_symbols[i];
    if (symbol && row_of[*symbol] != kNone) {
      rows[row_of[*symbol]].condition = profile.session.functions[i].condition;
    }
  }
  for (const auto& counted : calls_by_function(profile)) {
    const CountedFunction& function = profile.session.functions[counted.function];
    const auto symbol = counted_symbols[counted.function];
    if (!symbol || row_of[*symbol] == kNone) {
      FunctionCost row;
      row.symbol = symbol ? profile.symbols[*symbol] : Symbol{function.name, function.module};
      if (symbol) row_of[*symbol] = static_cast<uint32_t>(rows.size());
      rows.push_back(std::move(row));
    }
    FunctionCost& row = symbol ? rows[row_of[*symbol]] : rows.back();
    row.calls = counted.calls;
    row.method = function.method;
    row.condition = function.condition;
    row.denominator = function.denominator;
  }
  sort_functions(rows);
  return rows;
}

std::vector<CpuCost> cpu_rows(const ScaleTable& scale, size_t events, const StackWalk& walk) {
  std::vector<CpuCost> rows;
  for (uint32_t cpu = 0; cpu < scale.cpus(); ++cpu) {
    for (uint32_t event = 0; event < events; ++event) {
      const CounterScale& cell = scale.at(event, cpu);
      if (!cell.known) continue;
      const auto paths = walk.cpu_paths(event, cpu);
      rows.push_back({cpu, event, cell.count, cell.samples, {paths.begin(), paths.end()}});
    }
  }
  return rows;
}

std::vector<PathCost> path_rows(const Profile& profile, const std::vector<CpuCost>& cpus) {
  std::vector<PathCost> all(kPathCount);
  for (const Path path : kAllPaths) {
    PathCost& row = all[static_cast<size_t>(path)];
    row.path = path;
    row.events.resize(profile.session.events.size());
    for (const auto& cpu : cpus) row.events[cpu.event].add(cpu.paths[static_cast<size_t>(path)]);
  }
  for (const auto& packets : profile.packets) {
    PathCost& row = all[static_cast<size_t>(packets.path)];
    row.packets = row.packets.value_or(0) + packets.packets;
    row.segments = row.segments.value_or(0) + packets.segments;
  }
  std::erase_if(all, [](const PathCost& row) {
    return !row.packets && std::all_of(row.events.begin(), row.events.end(),
                                       [](const Estimate& e) { return e.samples == 0; });
  });
  return all;
}

std::vector<ModuleCost> module_rows(const std::vector<FunctionCost>& functions, size_t events) {
  std::map<std::string_view, std::vector<Estimate>> sums;
  for (const auto& function : functions) {
    for (const auto& cell : function.cells) {
      if (cell.self.samples == 0) continue;
      auto& by_event = sums[function.symbol.module];
      by_event.resize(events);
      by_event[cell.event].add(cell.self);
    }
  }
  std::vector<ModuleCost> rows;
  rows.reserve(sums.size());
  for (auto& [module, by_event] : sums) rows.push_back({std::string(module), std::move(by_event)});
  std::stable_sort(rows.begin(), rows.end(), [](const ModuleCost& a, const ModuleCost& b) {
    return a.events.front().value > b.events.front().value;
  });
  return rows;
}

}  // namespace nettoll
