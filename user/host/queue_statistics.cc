// SPDX-License-Identifier: Apache-2.0
#include "host/queue_statistics.h"

#include <optional>
#include <span>
#include <string_view>

#include "host/text.h"

namespace nettoll {
namespace {

/// A name with the queue's number between two texts.
struct Pattern {
  std::string_view before, after;
};

/// Names of which one driver has all or some; several for a queue add up. Of the families of a kind the first
/// that occurs counts, since a driver may tell the same twice.
struct Family {
  Pattern patterns[3];
};

constexpr Family kRxPackets[] = {
    {{{"rx_queue_", "_packets"}}},  // ixgbe, igb, ice, iavf, older virtio_net, hv_netvsc, fm10k
    {{{"rx", "_packets"}}},         // mlx5, mlx4, virtio_net
    {{{"rx-", ".packets"}}},        // i40e
    {{{"rx-", ".rx_packets"}}},     // sfc, older i40e
    {{{"queue_", "_rx_cnt"}}},      // ena
    {{{"[", "]: rx_ucast_packets"},
      {"[", "]: rx_mcast_packets"},
      {"[", "]: rx_bcast_packets"}}},  // bnxt_en, bnx2x
    {{{"rx_packets[", "]"}}},          // gve
    {{{"rxq", "_packets"}}},           // hns3, hinic
    {{{"", ": rcv_pkts"}}},            // qede
    {{{"rx_", "_packets"}}},           // mana
    {{{"rx_", "_pkts"}}},              // ionic
    {{{"rvec_", "_rx_pkts"}}},         // nfp
    {{{"rxq", ": rx_pkts"}}},          // be2net
    {{{"Queue[", "] InPackets"}}},     // atlantic
};

constexpr Family kRxDrops[] = {
    {{{"rx_queue_", "_drops"}}},   // igb, older virtio_net
    {{{"rx", "_drops"}}},          // virtio_net
    {{{"rx", "_dropped"}}},        // mlx4
    {{{"[", "]: rx_discards"}}},   // bnxt_en
    {{{"rx_dropped_pkt[", "]"}}},  // gve
    {{{"rx_", "_dropped"}}},       // ionic
};

constexpr Family kTxPackets[] = {
    {{{"tx_queue_", "_packets"}}},  // as above
    {{{"tx", "_packets"}}},
    {{{"tx-", ".packets"}}},
    {{{"tx-", ".tx_packets"}}},
    {{{"queue_", "_tx_cnt"}}},
    {{{"[", "]: tx_ucast_packets"}, {"[", "]: tx_mcast_packets"}, {"[", "]: tx_bcast_packets"}}},
    {{{"tx_packets[", "]"}}},
    {{{"txq", "_packets"}}},
    {{{"", ": xmit_pkts"}}},
    {{{"tx_", "_packets"}}},
    {{{"tx_", "_pkts"}}},
    {{{"rvec_", "_tx_pkts"}}},
    {{{"txq", ": tx_pkts"}}},
    {{{"Queue[", "] OutPackets"}}},
};

std::optional<uint32_t> queue_of(std::string_view name, const Pattern& pattern) {
  if (name.size() <= pattern.before.size() + pattern.after.size()) return std::nullopt;
  if (!name.starts_with(pattern.before) || !name.ends_with(pattern.after)) return std::nullopt;
  name.remove_prefix(pattern.before.size());
  name.remove_suffix(pattern.after.size());
  return number_of<uint32_t>(name);
}

std::map<uint32_t, uint64_t> by_queue(const StatisticsList& statistics, std::span<const Family> families) {
  std::map<uint32_t, uint64_t> queues;
  for (const Family& family : families) {
    for (const auto& [name, value] : statistics) {
      for (const Pattern& pattern : family.patterns) {
        if (pattern.after.empty()) continue;
        if (const auto queue = queue_of(name, pattern)) queues[*queue] += value;
      }
    }
    if (!queues.empty()) break;
  }
  return queues;
}

/// vmxnet3 repeats the same names for each queue, behind a line that has the queue's number as its value
/// (vmxnet3_get_strings in drivers/net/vmxnet3/vmxnet3_ethtool.c).
QueueStatistics of_vmxnet3(const StatisticsList& statistics) {
  QueueStatistics queues;
  std::optional<uint32_t> rx, tx;
  for (const auto& [whole, value] : statistics) {
    const std::string_view name = trimmed(whole);
    if (name == "Rx Queue#" || name == "Tx Queue#") {
      rx.reset(), tx.reset();
      (name == "Rx Queue#" ? rx : tx) = static_cast<uint32_t>(value);
    } else if (rx && name.ends_with("cast pkts rx")) {
      queues.rx_packets[*rx] += value;
    } else if (rx && (name == "pkts rx OOB" || name == "drv dropped rx total")) {
      queues.rx_drops[*rx] += value;
    } else if (tx && name.ends_with("cast pkts tx")) {
      queues.tx_packets[*tx] += value;
    }
  }
  return queues;
}

}  // namespace

QueueStatistics queue_statistics(const StatisticsList& statistics) {
  QueueStatistics queues = of_vmxnet3(statistics);
  if (!queues.rx_packets.empty() || !queues.tx_packets.empty()) return queues;
  return {by_queue(statistics, kRxPackets), by_queue(statistics, kRxDrops), by_queue(statistics, kTxPackets)};
}

}  // namespace nettoll
