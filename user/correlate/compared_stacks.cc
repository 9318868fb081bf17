// SPDX-License-Identifier: Apache-2.0
#include "correlate/compared_stacks.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "correlate/function_match.h"

namespace nettoll {
namespace {

/// The places of 0 to n - 1 when they are sorted by `less`.
template <typename Less>
std::vector<uint32_t> sorted_order(size_t n, Less less) {
  std::vector<uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), less);
  return order;
}

std::vector<uint32_t> places_of(const std::vector<uint32_t>& order) {
  std::vector<uint32_t> place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  return place;
}

}  // namespace

NewNames names_in(const CostTable& b, const CostTable& a) {
  NewNames names;
  for (const MatchedFunction& match : match_functions(a, b)) {
    if (!match.a || !match.b) continue;
    const Symbol& old = a.functions[*match.a].symbol;
    const Symbol& now = b.functions[*match.b].symbol;
    if (old != now) names.emplace(old, now);
  }
  return names;
}

NamedStacks renamed(const NamedStacks& stacks, const NewNames& names) {
  if (names.empty()) return stacks;
  std::vector<Symbol> symbols = stacks.symbols;
  for (Symbol& symbol : symbols) {
    if (const auto found = names.find(symbol); found != names.end()) symbol = found->second;
  }
  const auto symbol_order =
      sorted_order(symbols.size(), [&](uint32_t i, uint32_t j) { return symbols[i] < symbols[j]; });
  const auto symbol_place = places_of(symbol_order);
  NamedStacks result;
  for (const uint32_t old : symbol_order) {
    result.symbols.push_back(std::move(symbols[old]));
    result.begins.push_back(stacks.begins[old]);
  }

  StackTable<uint32_t> renumbered;
  renumbered.reserve(stacks.stacks.size(), stacks.stacks.frame_count());
  std::vector<uint32_t> frames;
  for (size_t i = 0; i < stacks.stacks.size(); ++i) {
    frames.clear();
    for (const uint32_t frame : stacks.stacks[i]) frames.push_back(symbol_place[frame]);
    renumbered.add(frames);
  }
  const auto stack_order = sorted_order(renumbered.size(), [&](uint32_t i, uint32_t j) {
    return std::ranges::lexicographical_compare(renumbered[i], renumbered[j]);
  });
  const auto stack_place = places_of(stack_order);
  for (const uint32_t old : stack_order) {
    result.stacks.add(renumbered[old]);
    result.paths.push_back(stacks.paths[old]);
  }

  result.costs = stacks.costs;
  for (NamedStackCost& row : result.costs) row.stack = stack_place[row.stack];
  std::ranges::sort(result.costs, {},
                    [](const NamedStackCost& row) { return std::pair(row.stack, row.event); });
  result.unattributed = stacks.unattributed;
  return result;
}

NamedStacks in_paths(NamedStacks stacks, std::span<const Path> paths) {
  std::erase_if(stacks.costs, [&](const NamedStackCost& row) {
    return std::ranges::find(paths, stacks.paths[row.stack]) == paths.end();
  });
  std::ranges::fill(stacks.unattributed, 0);
  return stacks;
}

}  // namespace nettoll
