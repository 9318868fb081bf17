// SPDX-License-Identifier: Apache-2.0
// What each CPU did for the network.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "model/cost_table.h"
#include "model/host_state.h"
#include "model/profile.h"
#include "model/ratios.h"

namespace nettoll {

/// Cost of the receive path for each packet, of one event.
struct PerPacket {
  double value = 0;
  double error = 0;  ///< standard error, in the same unit
  double packets = 0;
};

struct CpuFacts {
  uint32_t id = 0;
  std::optional<int> node;
  /// Parts of the CPU's time, 0 to 1. `net_rx` was traced; the others are of /proc/stat and of ksoftirqd.
  std::optional<double> net_rx, softirq, ksoftirqd, idle;
  /// Packets received on it: processed as softnet_stat has it, else traced.
  std::optional<double> packets;
  std::optional<double> net_rx_runs, squeezes;

  /// Part of its time in softirqs of any kind.
  std::optional<double> any_softirq() const;
};

/// Facts of the CPUs that are online, by id. Where the window has no times they stay empty.
std::vector<CpuFacts> cpu_facts(const HostState& window, const Profile* profile);

/// The part of a CPU's time that receive work takes, as far as that is known: NET_RX where it was traced, all
/// softirqs where packets say that the network is at work; empty where softirq time stands alone, which may
/// be timers, RCU or block devices.
std::optional<double> receive_part(const CpuFacts& cpu, double seconds);

/// Receive cost per packet by CPU; only where it was sampled and packets were counted.
std::map<uint32_t, PerPacket> receive_costs(const CostTable* costs, const Profile* profile, uint32_t event);

/// Several CPUs as one; empty for none.
std::optional<PerPacket> together(const std::map<uint32_t, PerPacket>& costs,
                                  std::optional<uint32_t> without);

}  // namespace nettoll
