// SPDX-License-Identifier: Apache-2.0
// Packets lost, layer by layer from the wire to the socket.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/netns_name.h"

namespace nettoll {

/// Where a packet ended, in the order of its way in and then out.
enum class DropLayer : uint8_t {
  nic,       ///< before the driver had it: no descriptor, damaged
  xdp,       ///< an XDP program, before there was an skb
  backlog,   ///< the queue of a CPU (enqueue_to_backlog)
  stack,     ///< protocols and filters, by drop reason
  socket,    ///< the receive queue of a socket
  qdisc,     ///< the queue of a device that sends
  transmit,  ///< the driver, or the way to it
};

/// Packets that were lost in one layer for one reason.
struct LedgerRow {
  DropLayer layer = DropLayer::nic;
  std::string device;  ///< empty: of the host, or not known
  std::string reason;  ///< the driver's or the kernel's own word
  std::string source;  ///< who counted: "ethtool", "rtnl_link_stats64", "softnet_stat", "kfree_skb", "qdisc"
  uint64_t packets = 0;
  uint32_t netns = 0;  ///< inode number of another namespace than the host state's; 0: that one, or not known
  bool operator==(const LedgerRow&) const = default;
};

/// What came in at one place against what became of it.
struct Balance {
  std::string what;  ///< "IPv4"
  uint64_t received = 0, delivered = 0, forwarded = 0;
  uint64_t merged = 0;   ///< fragments that became parts of other packets
  uint64_t dropped = 0;  ///< with a name
  /// Of those, had been counted as forwarded: newer kernels count a packet before the forward hook may drop
  /// it (ip_forward in net/ipv4/ip_forward.c). Inferred from what else would be too many.
  uint64_t forwarded_then_dropped = 0;
  /// received - delivered - forwarded - merged - dropped + forwarded_then_dropped. Counters are not read in
  /// one instant, so a few packets of either sign are no loss.
  int64_t unexplained = 0;
  std::string without;  ///< what could not be counted and may be in the remainder; empty where nothing
  bool operator==(const Balance&) const = default;
};

struct Ledger {
  std::vector<LedgerRow> losses;        ///< by layer, then device; 0 packets: no row
  std::vector<LedgerRow> noise;         ///< freed as if dropped, and nothing was lost
  std::vector<Balance> balances;        ///< only where both sides are counted
  std::vector<std::string> unmeasured;  ///< layers that nobody counted, a sentence each
  std::vector<NetnsName> netns_names;   ///< of LedgerRow::netns
  bool operator==(const Ledger&) const = default;
};

}  // namespace nettoll
