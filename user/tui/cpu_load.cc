// SPDX-License-Identifier: Apache-2.0
#include "tui/cpu_load.h"

#include "model/ratios.h"
#include "report/cpu_shares.h"

namespace nettoll::tui {
namespace {

/// NET_TX_SOFTIRQ and NET_RX_SOFTIRQ of include/linux/interrupt.h.
constexpr uint32_t kNetTx = 2;
constexpr uint32_t kNetRx = 3;

void add_times(const CpuCost& clock, CpuLoad& load) {
  for (const Path path : kAllPaths) {
    const Estimate& part = clock.paths[static_cast<size_t>(path)];
    load.all.add(part);
    if (path != Path::idle) load.busy.add(part);
    if (is_network(path)) load.network.add(part);
  }
  load.all.value = whole_time(clock);
}

}  // namespace

std::map<uint32_t, CpuLoad> cpu_loads(const Profile& profile, const CostTable& cost) {
  const EventRoles roles = roles_of(profile.session.events);
  std::map<uint32_t, CpuLoad> loads;
  for (const CpuCost& row : cost.cpus) {
    CpuLoad& load = loads[row.cpu];
    if (row.event == roles.cpu_clock) add_times(row, load);
    if (row.event == roles.cycles) load.cycles = row.count;
    if (row.event == roles.instructions) load.instructions = row.count;
  }
  for (const PathPackets& row : profile.packets) {
    if (row.path == Path::rx) loads[row.cpu].rx += row.packets;
    if (row.path == Path::tx) loads[row.cpu].tx += row.packets;
  }
  for (const SoftirqTime& row : profile.softirqs) {
    CpuLoad& load = loads[row.cpu];
    load.softirq_ns += row.ns;
    if (row.vector == kNetRx) load.net_rx_ns += row.ns;
    if (row.vector == kNetTx) load.net_tx_ns += row.ns;
  }
  for (const NapiPolls& row : profile.napi) {
    CpuLoad& load = loads[row.cpu];
    load.polls += row.polls;
    load.polled += row.packets;
    load.polls_full += row.budget_exhausted;
  }
  return loads;
}

}  // namespace nettoll::tui
