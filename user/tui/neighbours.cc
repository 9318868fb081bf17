// SPDX-License-Identifier: Apache-2.0
#include "tui/neighbours.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace nettoll::tui {
namespace {

std::vector<Neighbour> sorted(const std::map<uint32_t, uint64_t>& sums) {
  std::vector<Neighbour> rows;
  for (const auto& [symbol, samples] : sums) rows.push_back({symbol, samples});
  std::sort(rows.begin(), rows.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::tuple(b.samples, a.symbol) < std::tuple(a.samples, b.symbol);
  });
  return rows;
}

}  // namespace

Neighbours neighbours_of(const Profile& profile, const Symbol& function, uint32_t event) {
  std::map<uint32_t, uint64_t> callers, callees;
  Neighbours found;
  const auto wanted = std::find(profile.symbols.begin(), profile.symbols.end(), function);
  if (wanted == profile.symbols.end()) return found;
  const auto symbol = static_cast<uint32_t>(wanted - profile.symbols.begin());
  for (const StackSamples& row : profile.samples) {
    if (row.event != event) continue;
    const auto stack = profile.stacks[row.stack];
    const auto at = std::find(stack.begin(), stack.end(), symbol);
    if (at == stack.end()) continue;
    found.samples += row.samples;
    if (at != stack.begin()) callees[*std::prev(at)] += row.samples;
    if (std::next(at) != stack.end()) callers[*std::next(at)] += row.samples;
  }
  found.callers = sorted(callers);
  found.callees = sorted(callees);
  return found;
}

}  // namespace nettoll::tui
