// SPDX-License-Identifier: Apache-2.0
// A profile that all formats are tested on.
#pragma once

#include <string>
#include <vector>

#include "correlate/correlate.h"
#include "correlate/named_stacks.h"
#include "fakes/profile_builder.h"

namespace nettoll {

/// A name that would break out of HTML, JSON and CSV.
inline const std::string kHostileName = "</script><img src=x>\";,'\n\xe2\x82\xac\xff";

/// A profile with what the formats are made of.
struct Joined {
  explicit Joined(Profile p)
      : profile(std::move(p)), cost(correlate(profile)), stacks(named_stacks(profile)) {}
  Profile profile;
  CostTable cost;
  NamedStacks stacks;
};

/// cpu-clock: 30 ns in net_rx_action;memcpy, 10 in net_rx_action, 20 in the hostile name. cycles: 1001 by
/// thirds in three stacks on CPU 0, and 7 on CPU 1, where no sample was taken.
inline Profile small_profile() {
  ProfileBuilder builder({"cpu-clock", "cycles"}, 2);
  builder.sample(0, 0, {"memcpy", "net_rx_action"}, 3, 30).sample(0, 1, {"net_rx_action"}, 1, 10);
  builder.profile.stacks.add(std::vector<uint32_t>{builder.symbol(kHostileName, "veth")});
  builder.profile.samples.push_back({0, 0, 2, 2, 20});
  builder.count(1, 0, 1001).count(1, 1, 7);
  builder.profile.samples.push_back({1, 0, 0, 1, 5});
  builder.profile.samples.push_back({1, 0, 1, 1, 5});
  builder.profile.samples.push_back({1, 0, 2, 1, 5});
  builder.counted("net_rx_action", 4);
  builder.profile.session.host = "box";
  builder.profile.session.kernel = "6.1.0";
  builder.profile.session.arch = "x86_64";
  builder.profile.drops.push_back({"NO_SOCKET", "core", "udp_rcv", kVmlinux, "ipv4", "eth0", 1, 6});
  builder.profile.drops.push_back({"NO_SOCKET", "core", "udp_rcv", kVmlinux, "ipv4", "eth1", 1, 3});
  return std::move(builder.profile);
}

/// Adds a sample of event 0 in code of a module that has no name.
inline void sample_unnamed(Profile& profile, const char* module, SymbolKind kind, uint64_t period) {
  profile.symbols.push_back({kUnknownName, module, kind});
  const uint32_t frames[] = {static_cast<uint32_t>(profile.symbols.size() - 1)};
  profile.samples.push_back({0, 0, profile.stacks.add(frames), 1, period});
}

}  // namespace nettoll
