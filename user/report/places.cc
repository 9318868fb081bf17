// SPDX-License-Identifier: Apache-2.0
#include "report/places.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace nettoll {

std::vector<Place> places_of(const CostTable& cost) {
  const size_t events = cost.events.size();
  std::map<std::pair<SymbolKind, std::string_view>, std::vector<Estimate>> sums;
  for (const auto& function : cost.functions) {
    for (const auto& cell : function.cells) {
      if (cell.self.samples == 0) continue;
      auto& sum = sums[{function.symbol.kind, function.symbol.module}];
      sum.resize(events);
      sum[cell.event].add(cell.self);
    }
  }
  std::vector<Place> places;
  places.reserve(sums.size());
  for (auto& [key, by_event] : sums)
    places.push_back({key.first, std::string(key.second), std::move(by_event)});
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::lexicographical_compare(
        b.events.begin(), b.events.end(), a.events.begin(), a.events.end(),
        [](const Estimate& x, const Estimate& y) { return x.value < y.value; });
  });
  return places;
}

std::string name_of(const Place& place) {
  switch (place.kind) {
    case SymbolKind::kernel:
      return place.module == kVmlinux ? "kernel" : "module " + place.module;
    case SymbolKind::bpf:
      return "BPF programs";
    case SymbolKind::own:
      return kOwnCostName;
    case SymbolKind::user:
      return place.module.empty() ? "user mode" : place.module;
    case SymbolKind::unknown:
      return place.module.empty() ? kUnknownName : place.module;
  }
  return kUnknownName;
}

}  // namespace nettoll
