// SPDX-License-Identifier: Apache-2.0
// What each CPU did for the network in a window.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll::tui {

/// Counts are exact and 0 where nothing happened: packets, softirqs and polls are counted on every CPU that
/// is traced. What was sampled is empty without samples.
struct CpuLoad {
  uint64_t rx = 0, tx = 0;                                ///< packets
  uint64_t softirq_ns = 0, net_rx_ns = 0, net_tx_ns = 0;  ///< time in softirqs: of any kind, and of these
  uint64_t polls = 0, polled = 0,
           polls_full = 0;      ///< NAPI: polls, their packets, those that used their budget up
  Estimate all, busy, network;  ///< cpu-clock: all of it, not idle, in network paths
  std::optional<double> cycles, instructions;
};

/// Loads of the CPUs that were traced, by id.
std::map<uint32_t, CpuLoad> cpu_loads(const Profile& profile, const CostTable& cost);

}  // namespace nettoll::tui
