// SPDX-License-Identifier: Apache-2.0
#include "diagnose/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "diagnose/driver_counters.h"
#include "diagnose/drop_place.h"
#include "diagnose/ip_drops.h"
#include "diagnose/qdisc_losses.h"
#include "model/drop_class.h"

namespace nettoll {
namespace {

class Book {
 public:
  Book(const HostState& window, const Profile* profile) : window_(window), profile_(profile) {}

  Ledger write() {
    if (window_.seconds > 0) {
      for (const auto& nic : window_.nics) device(nic);
      backlog();
      sockets();
      balance("IPv4", "ipv4", kIpv4);
      balance("IPv6", "ipv6", kIpv6);
    } else {
      ledger_.unmeasured.push_back("devices, backlog, queues and sockets: no window of their counters");
    }
    reasons();
    if (profile_) ledger_.netns_names = profile_->netns_names;
    const auto order = [](const LedgerRow& a, const LedgerRow& b) {
      return std::tie(a.layer, a.netns, a.device, b.packets, a.reason) <
             std::tie(b.layer, b.netns, b.device, a.packets, b.reason);
    };
    std::sort(ledger_.losses.begin(), ledger_.losses.end(), order);
    std::sort(ledger_.noise.begin(), ledger_.noise.end(), order);
    return std::move(ledger_);
  }

 private:
  /// Names of one protocol's counters (net/ipv4/proc.c, net/ipv6/proc.c).
  struct Protocol {
    const char *received, *delivered, *forwarded, *fragments, *reassembled;
    std::vector<const char*> dropped;
  };
  static const Protocol kIpv4, kIpv6;

  void loss(DropLayer layer, const std::string& device_name, const std::string& reason, const char* source,
            uint64_t packets) {
    if (packets > 0) ledger_.losses.push_back({layer, device_name, reason, source, packets});
  }

  bool has(DropLayer layer, const std::string& device_name) const {
    return std::any_of(ledger_.losses.begin(), ledger_.losses.end(), [&](const LedgerRow& row) {
      return row.layer == layer && (device_name.empty() || row.device == device_name);
    });
  }

  /// The largest of the driver's counters of a kind and of one of the link.
  void largest(const Nic& nic, DropLayer layer, DriverCounter kind, const char* name, uint64_t link) {
    DriverLoss most{name, link};
    const char* source = "rtnl_link_stats64";
    for (const auto& counter : driver_losses(nic, kind)) {
      if (counter.packets <= most.packets) continue;
      most = counter;
      source = "ethtool";
    }
    loss(layer, nic.name, most.name, source, most.packets);
  }

  void device(const Nic& nic) {
    if (!nic.statistics && nic.physical) {
      ledger_.unmeasured.push_back(fmt::format("what the driver of {} counted{}{}", nic.name,
                                               nic.statistics.reason.empty() ? "" : ": ",
                                               nic.statistics.reason));
    }
    const auto& link = nic.link;
    largest(nic, DropLayer::nic, DriverCounter::ring_full,
            link.rx_missed >= link.rx_fifo ? "rx_missed_errors" : "rx_fifo_errors",
            std::max(link.rx_missed, link.rx_fifo));
    largest(nic, DropLayer::nic, DriverCounter::bad_frame, "rx_crc_errors", link.rx_crc);
    uint64_t xdp = 0;
    for (const auto kind : {DriverCounter::xdp_drop, DriverCounter::xdp_failure}) {
      for (const auto& counter : driver_losses(nic, kind)) {
        loss(DropLayer::xdp, nic.name, counter.name, "ethtool", counter.packets);
      }
      xdp += driver_loss(nic, kind);
    }
    for (const auto& counter : driver_losses(nic, DriverCounter::dropped)) {
      if (counter.packets > xdp)
        loss(DropLayer::nic, nic.name, counter.name, "ethtool", counter.packets - xdp);
    }
    for (const auto& [qdisc, packets] : qdisc_losses(nic))
      loss(DropLayer::qdisc, nic.name, qdisc->kind + " " + qdisc->handle, "qdisc", packets);
    largest(nic, DropLayer::transmit, DriverCounter::transmit,
            link.tx_dropped >= link.tx_errors ? "tx_dropped" : "tx_errors",
            std::max(link.tx_dropped, link.tx_errors));
  }

  void backlog() {
    uint64_t dropped = 0;
    bool known = false;
    for (const auto& cpu : window_.cpus) {
      known = known || cpu.softnet;
      if (cpu.softnet) dropped += cpu.softnet->dropped;
    }
    if (!known) ledger_.unmeasured.push_back("the backlog of CPUs: softnet_stat could not be read");
    loss(DropLayer::backlog, "", "dropped", "softnet_stat", dropped);
  }

  void sockets() {
    if (window_.protocols.empty())
      ledger_.unmeasured.push_back("sockets: protocol counters could not be read");
    for (const char* name : {"Udp.RcvbufErrors", "Udp6.RcvbufErrors", "Udp.MemErrors", "Udp6.MemErrors",
                             "TcpExt.TCPRcvQDrop", "TcpExt.TCPBacklogDrop"}) {
      loss(DropLayer::socket, "", name, "snmp", counter(name));
    }
    if (has(DropLayer::socket, "")) return;
    for (const auto& socket : window_.udp) {
      loss(DropLayer::socket, "", fmt::format("UDP{} port {}", socket.ipv6 ? "6" : "", socket.port),
           "sockets", socket.drops);
    }
  }

  void reasons() {
    if (!profile_) {
      ledger_.unmeasured.push_back("drops in the stack by reason: nothing was traced");
      return;
    }
    // By the counters alone, before rows of the trace are added.
    const Counted counted{has(DropLayer::backlog, ""), has_socket_row({"Udp", "UDP"}),
                          has_socket_row({"Tcp"})};
    std::map<std::tuple<bool, DropLayer, uint32_t, std::string, std::string>, uint64_t> sums;
    std::map<std::string, uint64_t> transmitted;  // traced losses of drivers, by device of the own namespace
    for (const auto& drop : profile_->drops) {
      const bool noise = classify(drop) != DropClass::loss;
      const uint32_t netns = other_netns(drop);
      const DropLayer layer = layer_of(drop, netns);
      if (!noise && is_counted(drop, layer, netns, counted)) continue;
      sums[{noise, layer, netns, drop.device, reason_text(drop.reason, drop.subsystem)}] += drop.packets;
      if (!noise && !netns && layer == DropLayer::transmit) transmitted[drop.device] += drop.packets;
    }
    // The counters of a device have what its driver dropped, traced or not.
    for (auto& row : ledger_.losses) {
      const auto traced = transmitted.find(row.device);
      if (row.layer == DropLayer::transmit && traced != transmitted.end())
        row.packets -= std::min(row.packets, traced->second);
    }
    std::erase_if(ledger_.losses, [](const LedgerRow& row) { return row.packets == 0; });
    for (const auto& [key, packets] : sums) {
      const auto& [noise, layer, netns, device_name, reason] = key;
      if (packets > 0) {
        (noise ? ledger_.noise : ledger_.losses)
            .push_back({layer, device_name, reason, "kfree_skb", packets, netns});
      }
    }
  }

  /// What the kernel's own counters show, so that the trace adds nothing.
  struct Counted {
    bool backlog, udp, tcp;
  };

  bool is_counted(const Drops& drop, DropLayer layer, uint32_t netns, const Counted& counted) const {
    if (layer == DropLayer::backlog) return counted.backlog;
    if (netns) return false;
    if (layer == DropLayer::qdisc) return !drop.device.empty() && has(DropLayer::qdisc, drop.device);
    if (layer != DropLayer::socket) return false;
    // Raw, packet and all other sockets have no counter here.
    return (counted.udp && drop.function.find("udp") != drop.function.npos) ||
           (counted.tcp && drop.function.find("tcp") != drop.function.npos);
  }

  bool has_socket_row(std::initializer_list<std::string_view> begins) const {
    return std::any_of(ledger_.losses.begin(), ledger_.losses.end(), [&](const LedgerRow& row) {
      return row.layer == DropLayer::socket &&
             std::any_of(begins.begin(), begins.end(),
                         [&](std::string_view begin) { return row.reason.starts_with(begin); });
    });
  }

  /// A device without carrier has no queue but one that drops all it gets (noop_enqueue in
  /// net/sched/sch_generic.c), in the name of the device.
  DropLayer layer_of(const Drops& drop, uint32_t netns) const {
    const DropLayer layer = place_of(drop).layer;
    if (layer != DropLayer::qdisc || netns) return layer;
    const auto nic = std::find_if(window_.nics.begin(), window_.nics.end(),
                                  [&](const Nic& one) { return one.name == drop.device; });
    return nic != window_.nics.end() && !nic->up ? DropLayer::transmit : layer;
  }

  /// Of the namespace of a drop where that is not the one whose counters were read.
  uint32_t other_netns(const Drops& drop) const {
    return window_.netns && drop.netns != window_.netns ? drop.netns : 0;
  }

  uint64_t counter(const char* name) const {
    const auto found = window_.protocols.find(name);
    return found == window_.protocols.end() ? 0 : found->second;
  }

  void balance(const char* what, const char* ethertype, const Protocol& names) {
    if (!window_.protocols.contains(names.received) || !window_.protocols.contains(names.delivered)) return;
    Balance balance;
    balance.what = what;
    balance.received = counter(names.received);
    balance.delivered = counter(names.delivered);
    balance.forwarded = counter(names.forwarded);
    const uint64_t fragments = counter(names.fragments);
    balance.merged = fragments - std::min(fragments, counter(names.reassembled));
    for (const char* name : names.dropped) balance.dropped += counter(name);
    uint64_t may_be_both = 0;
    if (profile_) {
      uint64_t nameless = 0;
      uint64_t reverse_path = counter("TcpExt.IPReversePathFilter");
      for (const auto& drop : profile_->drops) {
        if (other_netns(drop)) continue;
        if (drop.reason == "IP_RPFILTER") reverse_path -= std::min(reverse_path, drop.packets);
        if (!is_uncounted_ip_drop(drop, ethertype)) continue;
        balance.dropped += drop.packets;
        if (may_be_reverse_path_filter(drop)) nameless += drop.packets;
        if (may_follow_forwarding(drop)) may_be_both += drop.packets;
      }
      balance.dropped -= std::min(nameless, reverse_path);
    } else {
      balance.without = "drops that no IP counter has, such as the firewall's, were not traced";
    }
    const auto surplus = static_cast<int64_t>(balance.delivered + balance.forwarded + balance.merged +
                                              balance.dropped - balance.received);
    if (surplus > 0 && static_cast<uint64_t>(surplus) <= std::min(may_be_both, balance.forwarded))
      balance.forwarded_then_dropped = static_cast<uint64_t>(surplus);
    else
      balance.unexplained = -surplus;
    ledger_.balances.push_back(std::move(balance));
  }

  const HostState& window_;
  const Profile* profile_;
  Ledger ledger_;
};

const Book::Protocol Book::kIpv4 = {
    "Ip.InReceives",
    "Ip.InDelivers",
    "Ip.ForwDatagrams",
    "Ip.ReasmReqds",
    "Ip.ReasmOKs",
    {"Ip.InHdrErrors", "Ip.InAddrErrors", "Ip.InUnknownProtos", "Ip.InDiscards", "IpExt.InNoRoutes",
     "IpExt.InTruncatedPkts", "TcpExt.IPReversePathFilter"}};
const Book::Protocol Book::kIpv6 = {
    "Ip6.InReceives",
    "Ip6.InDelivers",
    "Ip6.OutForwDatagrams",
    "Ip6.ReasmReqds",
    "Ip6.ReasmOKs",
    {"Ip6.InHdrErrors", "Ip6.InTooBigErrors", "Ip6.InNoRoutes", "Ip6.InAddrErrors", "Ip6.InUnknownProtos",
     "Ip6.InTruncatedPkts", "Ip6.InDiscards"}};

}  // namespace

Ledger make_ledger(const HostState& window, const Profile* profile) {
  return Book(window, profile).write();
}

}  // namespace nettoll
