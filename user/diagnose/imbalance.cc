// SPDX-License-Identifier: Apache-2.0
#include "diagnose/imbalance.h"

#include "diagnose/facts.h"

namespace nettoll {
namespace {

bool counts_packets(LoadSource source) {
  return source == LoadSource::driver || source == LoadSource::traced;
}

}  // namespace

std::vector<RxImbalance> rx_imbalances(const HostState& window, const Profile* profile) {
  std::vector<RxImbalance> rows;
  for (const NicCase& nic : gather(window, profile, nullptr).nics) {
    const NicFacts& facts = nic.facts;
    if (!facts.idle.empty() || !counts_packets(facts.source) || !facts.hottest || facts.load.size() < 2)
      continue;
    rows.push_back({facts.nic->name, facts.hottest->part * static_cast<double>(facts.load.size())});
  }
  return rows;
}

}  // namespace nettoll
