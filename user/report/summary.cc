// SPDX-License-Identifier: Apache-2.0
#include "report/summary.h"

#include <algorithm>

#include "model/symbol_identity.h"
#include "report/shares.h"

namespace nettoll {
namespace {

constexpr double kPlacePercent = 5;
constexpr size_t kMostPlaces = 5;
constexpr double kHotPercent = 1;
constexpr size_t kLeastHot = 5;
constexpr size_t kMostHot = 10;

/// A function's own cost of an event outside of idle time.
Estimate busy_self(const FunctionCost& function, uint32_t event) {
  Estimate sum;
  for (const FunctionCell& cell : function.cells) {
    if (cell.event == event && cell.path != Path::idle) sum.add(cell.self);
  }
  return sum;
}

void find_places(const CostTable& cost, Summary& summary) {
  CostTable busy;
  busy.events = {cost.events[summary.event]};
  for (const FunctionCost& function : cost.functions) {
    const Estimate self = busy_self(function, summary.event);
    if (self.samples == 0) continue;
    FunctionCost row;
    row.symbol = function.symbol;
    row.cells = {{Path::other, 0, self, self}};
    busy.functions.push_back(std::move(row));
  }
  summary.places = places_of(busy);
  std::erase_if(summary.places, [&](const Place& place) {
    return percent_of(place.events[0].value, summary.total) < kPlacePercent;
  });
  if (summary.places.size() > kMostPlaces) summary.places.resize(kMostPlaces);
}

void find_hot(const CostTable& cost, Summary& summary) {
  for (const FunctionCost& function : cost.functions) {
    const Estimate self = busy_self(function, summary.event);
    if (self.samples > 0) summary.hot.push_back({&function, self, {}});
  }
  const auto hotter = [](const Summary::Hot& a, const Summary::Hot& b) {
    return a.self.value != b.self.value ? a.self.value > b.self.value
                                        : a.function->symbol < b.function->symbol;
  };
  std::sort(summary.hot.begin(), summary.hot.end(), hotter);
  size_t kept = std::min(kLeastHot, summary.hot.size());
  while (kept < std::min(kMostHot, summary.hot.size()) &&
         percent_of(summary.hot[kept].self.value, summary.total) >= kHotPercent)
    ++kept;
  summary.hot.resize(kept);
}

void find_chains(const Profile& profile, const CostTable& cost, Summary& summary) {
  SymbolNumbers numbers;
  for (const Summary::Hot& hot : summary.hot) numbers.emplace(name_of_symbol(hot.function->symbol), 0);
  for (uint32_t i = static_cast<uint32_t>(profile.symbols.size()); i-- > 0;) {
    const auto found = numbers.find(name_of_symbol(profile.symbols[i]));
    if (found != numbers.end()) found->second = i;  // the first of its like stays
  }
  std::vector<uint32_t> symbols;
  symbols.reserve(summary.hot.size());
  for (const Summary::Hot& hot : summary.hot)
    symbols.push_back(numbers.at(name_of_symbol(hot.function->symbol)));
  auto chains = main_chains(profile, cost, summary.event, symbols);
  for (size_t i = 0; i < chains.size(); ++i) summary.hot[i].chain = std::move(chains[i]);
}

}  // namespace

std::optional<Summary> summary_of(const Profile& profile, const CostTable& cost) {
  const auto events = sampled_events(cost);
  if (events.empty()) return std::nullopt;
  Summary summary;
  summary.event = events.front();
  summary.total = cost.events[summary.event].count;
  summary.verdict = judge_sampling(sampling_facts(profile, cost));
  if (const PathCost* idle = cost.path(Path::idle)) summary.idle = idle->events[summary.event];
  find_places(cost, summary);
  find_hot(cost, summary);
  find_chains(profile, cost, summary);
  return summary;
}

}  // namespace nettoll
