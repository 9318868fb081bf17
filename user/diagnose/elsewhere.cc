// SPDX-License-Identifier: Apache-2.0
#include "diagnose/elsewhere.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace nettoll {

bool is_elsewhere(const Drops& drop, const Facts& facts) {
  return facts.window.netns && drop.netns && drop.netns != facts.window.netns;
}

void Elsewhere::add(const Drops& drop) {
  places_[{drop.netns, drop.device}] += static_cast<double>(drop.packets);
}

void Elsewhere::tell(Finding& finding, const Facts& facts) const {
  std::vector<std::pair<std::pair<uint32_t, std::string>, double>> most(places_.begin(), places_.end());
  std::stable_sort(most.begin(), most.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr size_t kShown = 3;
  for (size_t i = 0; i < most.size() && i < kShown; ++i) {
    const auto& [netns, device] = most[i].first;
    // A drop that was elsewhere is one of a profile's.
    const std::string name = find_netns_name(facts.profile->netns_names, netns);
    finding.evidence.push_back({fmt::format("of these {}in network namespace {}",
                                            device.empty() ? "" : fmt::format("at {} ", device),
                                            name.empty() ? std::to_string(netns) : name),
                                most[i].second, "packets"});
  }
  finding.explanation += " It was in another network namespace, such as a container's.";
  finding.remedy.push_back("lsns -t net    # a process (PID) of that namespace (NS)");
  finding.remedy.push_back("nsenter -t PID -n nettoll diagnose    # with that namespace's own counters");
}

}  // namespace nettoll
