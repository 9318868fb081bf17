// SPDX-License-Identifier: Apache-2.0
#include "correlate/stack_costs.h"

#include <algorithm>
#include <tuple>

#include "correlate/path_rules.h"
#include "correlate/scale.h"

namespace nettoll {

std::vector<StackCost> stack_costs(const Profile& profile) {
  std::vector<EventTotal> totals;
  const ScaleTable scale = scale_counts(profile, nullptr, totals);
  std::vector<StackCost> rows;
  rows.reserve(profile.samples.size());
  for (const auto& sampled : profile.samples) {
    if (sampled.samples == 0 || profile.stacks[sampled.stack].empty()) continue;
    const double weight = scale.at(sampled.event, sampled.cpu).weight(sampled);
    rows.push_back({sampled.stack,
                    sampled.event,
                    Path::other,
                    {weight, sampled.samples},
                    weight * weight / sampled.samples});
  }
  const auto key = [](const StackCost& row) { return std::tie(row.stack, row.event); };
  std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });

  const std::vector<uint16_t> roles = roles_of_symbols(profile.symbols);
  size_t kept = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (kept > 0 && key(rows[kept - 1]) == key(rows[i])) {
      rows[kept - 1].cost.add(rows[i].cost);
      rows[kept - 1].squares += rows[i].squares;
      continue;
    }
    rows[kept] = rows[i];
    rows[kept].path = path_of(profile.stacks[rows[kept].stack], roles);
    ++kept;
  }
  rows.resize(kept);
  return rows;
}

}  // namespace nettoll
