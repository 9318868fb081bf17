// SPDX-License-Identifier: Apache-2.0
// Counters of single queues among the statistics of a driver (ETHTOOL_GSTATS), which have no common names.
#pragma once

#include <cstdint>
#include <map>

#include "host/ethtool_source.h"

namespace nettoll {

/// By queue number. What the driver does not tell of a queue is absent.
struct QueueStatistics {
  std::map<uint32_t, uint64_t> rx_packets, rx_drops, tx_packets;
  bool operator==(const QueueStatistics&) const = default;
};

QueueStatistics queue_statistics(const StatisticsList& statistics);

}  // namespace nettoll
