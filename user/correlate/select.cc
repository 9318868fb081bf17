// SPDX-License-Identifier: Apache-2.0
#include "correlate/select.h"

#include <algorithm>
#include <cmath>

#include "correlate/path_rules.h"
#include "correlate/scale.h"

namespace nettoll {
namespace {

/// By stack: whether its path and its functions are wanted.
std::vector<bool> wanted_stacks(const Profile& profile, const SampleSelection& selection) {
  const auto roles = roles_of_symbols(profile.symbols);
  std::vector<bool> of_name(profile.symbols.size());
  for (size_t i = 0; i < of_name.size(); ++i) of_name[i] = profile.symbols[i].name == selection.function;
  std::vector<bool> wanted(profile.stacks.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto stack = profile.stacks[i];
    wanted[i] = selection.function.empty() ||
                std::any_of(stack.begin(), stack.end(), [&](uint32_t symbol) { return of_name[symbol]; });
    if (wanted[i] && !selection.paths.empty())
      wanted[i] = std::find(selection.paths.begin(), selection.paths.end(), path_of(stack, roles)) !=
                  selection.paths.end();
  }
  return wanted;
}

}  // namespace

Profile select_samples(Profile profile, const SampleSelection& selection) {
  if (!profile.counts.empty()) {
    std::vector<EventTotal> totals;
    const ScaleTable scale = scale_counts(profile, nullptr, totals);
    for (StackSamples& row : profile.samples)
      row.period = static_cast<uint64_t>(std::llround(scale.at(row.event, row.cpu).weight(row)));
  }
  const std::vector<bool> wanted = wanted_stacks(profile, selection);
  std::erase_if(profile.samples, [&](const StackSamples& row) {
    const bool left_out = !wanted[row.stack] ||
                          (!selection.cpus.empty() && std::find(selection.cpus.begin(), selection.cpus.end(),
                                                                row.cpu) == selection.cpus.end());
    if (left_out) profile.left_out += row.samples;
    return left_out;
  });
  profile.counts.clear();
  profile.calls.clear();
  profile.packets.clear();
  profile.napi.clear();
  profile.queues.clear();
  profile.softirqs.clear();
  profile.drops.clear();
  profile.exact.clear();
  if (profile.foreign) profile.foreign->unnamed.clear();
  return profile;
}

}  // namespace nettoll
