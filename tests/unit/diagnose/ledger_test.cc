// SPDX-License-Identifier: Apache-2.0
#include "diagnose/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/diagnose/diagnosed.h"

namespace nettoll {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Ledger, LayersFromWireToSocket) {
  HostBuilder host(2);
  Nic& nic = host.nic("eth0", 2);
  nic.link.rx_missed = 5;
  nic.link.rx_crc = 1;
  nic.link.tx_dropped = 9;
  (*nic.statistics.value)["rx_missed_errors"] = 5;
  (*nic.statistics.value)["rx_xdp_drop"] = 40;
  nic.qdiscs[0].drops = 8;
  host.state.cpus[1].softnet->dropped = 7;
  host.state.protocols["Udp.RcvbufErrors"] = 6;
  ProfileBuilder trace({}, 2);
  trace.profile.drops = {
      drop("TCP_CSUM", "tcp_v4_rcv", 11),
      drop("TCP_CSUM", "tcp_filter", 1),
      drop("QDISC_DROP", "kfree_skb_reason", 8),  // these three are counted above
      drop("SOCKET_RCVBUFF", "udp_queue_rcv_one_skb", 6),
      drop("CPU_BACKLOG", "f", 7),
      drop("QDISC_DROP", "f", 3, "veth0"),
      drop("NOT_SPECIFIED", "unix_stream_connect", 50, "", "none"),
      drop("NOT_SPECIFIED", "dev_kfree_skb_any_reason", 60),
  };
  const Ledger ledger = make_ledger(host.state, &trace.profile);
  EXPECT_THAT(ledger.losses,
              ElementsAre(LedgerRow{DropLayer::nic, "eth0", "rx_missed_errors", "rtnl_link_stats64", 5},
                          LedgerRow{DropLayer::nic, "eth0", "rx_crc_errors", "rtnl_link_stats64", 1},
                          LedgerRow{DropLayer::xdp, "eth0", "rx_xdp_drop", "ethtool", 40},
                          LedgerRow{DropLayer::backlog, "", "dropped", "softnet_stat", 7},
                          LedgerRow{DropLayer::stack, "eth0", "TCP_CSUM", "kfree_skb", 12},
                          LedgerRow{DropLayer::socket, "", "Udp.RcvbufErrors", "snmp", 6},
                          LedgerRow{DropLayer::qdisc, "eth0", "fq_codel 0:", "qdisc", 8},
                          LedgerRow{DropLayer::qdisc, "veth0", "QDISC_DROP", "kfree_skb", 3},
                          LedgerRow{DropLayer::transmit, "eth0", "tx_dropped", "rtnl_link_stats64", 9}));
  EXPECT_THAT(ledger.noise,
              ElementsAre(LedgerRow{DropLayer::stack, "", "NOT_SPECIFIED", "kfree_skb", 50},
                          LedgerRow{DropLayer::transmit, "eth0", "NOT_SPECIFIED", "kfree_skb", 60}));
  EXPECT_THAT(ledger.unmeasured, IsEmpty());
}

TEST(Ledger, CountersOfUdpSayNothingOfOtherSockets) {
  HostBuilder host(1);
  host.state.protocols["Udp.RcvbufErrors"] = 95;
  ProfileBuilder trace({}, 1);
  trace.profile.drops = {drop("SOCKET_RCVBUFF", "udpv6_queue_rcv_one_skb", 95),
                         drop("SOCKET_RCVBUFF", "raw_rcv_skb", 144),
                         drop("SOCKET_BACKLOG", "tcp_add_backlog", 3)};
  EXPECT_THAT(make_ledger(host.state, &trace.profile).losses,
              ElementsAre(LedgerRow{DropLayer::socket, "", "Udp.RcvbufErrors", "snmp", 95},
                          LedgerRow{DropLayer::socket, "eth0", "SOCKET_RCVBUFF", "kfree_skb", 144},
                          LedgerRow{DropLayer::socket, "eth0", "SOCKET_BACKLOG", "kfree_skb", 3}));
}

TEST(Ledger, WhatADriverDropsIsInItsCounterAndOnce) {
  const struct {
    const char* what;
    uint64_t traced, counted;
    std::vector<std::pair<std::string, uint64_t>> rows;
  } cases[] = {
      {"all traced", 291, 291, {{"FULL_RING", 291}}},
      {"not all", 200, 291, {{"FULL_RING", 200}, {"tx_dropped", 91}}},
      {"not counted", 5, 0, {{"FULL_RING", 5}}},
      {"not traced", 0, 7, {{"tx_dropped", 7}}},
  };
  for (const auto& c : cases) {
    HostBuilder host(1);
    host.nic("tap0", 1).link.tx_dropped = c.counted;
    host.nic("tap1", 1).link.tx_dropped = 1;
    ProfileBuilder trace({}, 1);
    trace.profile.drops = {drop("FULL_RING", "tun_net_xmit", c.traced, "tap0")};
    std::vector<std::pair<std::string, uint64_t>> rows;
    for (const LedgerRow& row : make_ledger(host.state, &trace.profile).losses)
      if (row.device == "tap0") rows.emplace_back(row.reason, row.packets);
    EXPECT_EQ(rows, c.rows) << c.what;
  }
}

TEST(Ledger, ADeviceWithoutCarrierHasNoQueue) {
  HostBuilder host(1);
  Nic& nic = host.nic("veth0", 1);
  nic.up = false;
  nic.link.tx_dropped = 300;
  ProfileBuilder trace({}, 1);
  trace.profile.drops = {drop("QDISC_DROP", "__dev_queue_xmit", 300, "veth0")};
  EXPECT_THAT(make_ledger(host.state, &trace.profile).losses,
              ElementsAre(LedgerRow{DropLayer::transmit, "veth0", "QDISC_DROP", "kfree_skb", 300}));
}

TEST(Ledger, WhatHasACounterIsNotDroppedTwice) {
  HostBuilder host(1);
  host.state.protocols = {{"Ip.InReceives", 230},
                          {"Ip.InDelivers", 0},
                          {"Ip.InHdrErrors", 200},
                          {"TcpExt.IPReversePathFilter", 20}};
  ProfileBuilder trace({}, 1);
  trace.profile.drops = {drop("IP_INHDR", "ip_rcv_finish_core", 200),
                         drop("IP_RPFILTER", "ip_rcv_finish_core", 20),
                         drop("IP_LOCALNET", "ip_rcv_finish_core", 10)};
  const Balance named = make_ledger(host.state, &trace.profile).balances[0];
  EXPECT_EQ(named.dropped, 230u);
  EXPECT_EQ(named.unexplained, 0);
  // A kernel that gives no reasons.
  trace.profile.drops = {drop("unclassified", "ip_rcv_finish_core", 30)};
  EXPECT_EQ(make_ledger(host.state, &trace.profile).balances[0].unexplained, 0);
}

TEST(Ledger, DropsOfXdpAreNotTheDriversToo) {
  HostBuilder host(2);
  Nic& nic = host.nic("eth0", 2);
  nic.statistics =
      answered(std::map<std::string, uint64_t>{{"rx_queue_0_drops", 12}, {"rx_queue_0_xdp_drops", 10}});
  EXPECT_THAT(make_ledger(host.state, nullptr).losses,
              ElementsAre(LedgerRow{DropLayer::nic, "eth0", "rx_drops", "ethtool", 2},
                          LedgerRow{DropLayer::xdp, "eth0", "rx_xdp_drops", "ethtool", 10}));
}

TEST(Ledger, ReasonsStandInWhereNothingElseCounts) {
  ProfileBuilder trace({}, 2);
  trace.profile.drops = {drop("SOCKET_RCVBUFF", "f", 6), drop("CPU_BACKLOG", "f", 7),
                         drop("QDISC_DROP", "f", 8)};
  const Ledger ledger = make_ledger({}, &trace.profile);
  ASSERT_EQ(ledger.losses.size(), 3u);
  EXPECT_EQ(ledger.losses[0].layer, DropLayer::backlog);
  EXPECT_EQ(ledger.losses[1].layer, DropLayer::socket);
  EXPECT_EQ(ledger.losses[2].layer, DropLayer::qdisc);
  EXPECT_THAT(ledger.unmeasured, ElementsAre(HasSubstr("no window")));
}

TEST(Ledger, WhatNobodyCountedIsSaid) {
  HostBuilder host(1);
  host.nic("eth0", 1).statistics = {{}, "Operation not supported"};
  host.state.cpus[0].softnet.reset();
  host.state.protocols.clear();
  const Ledger ledger = make_ledger(host.state, nullptr);
  EXPECT_THAT(ledger.losses, IsEmpty());
  EXPECT_THAT(ledger.unmeasured, ElementsAre("what the driver of eth0 counted: Operation not supported",
                                             HasSubstr("softnet_stat"), HasSubstr("protocol counters"),
                                             HasSubstr("nothing was traced")));
  EXPECT_THAT(ledger.balances, IsEmpty());
}

TEST(Ledger, Balance) {
  HostBuilder host(1);
  host.state.protocols = {{"Ip.InReceives", 10'000}, {"Ip.InDelivers", 8'000}, {"Ip.ForwDatagrams", 1'000},
                          {"Ip.InHdrErrors", 5},     {"Ip.InAddrErrors", 4},   {"IpExt.InNoRoutes", 3},
                          {"Ip.ReasmReqds", 400},    {"Ip.ReasmOKs", 100},     {"Ip6.InReceives", 50},
                          {"Ip6.InDelivers", 51}};
  const Ledger untraced = make_ledger(host.state, nullptr);
  ASSERT_EQ(untraced.balances.size(), 2u);
  EXPECT_EQ(untraced.balances[0],
            (Balance{"IPv4", 10'000, 8'000, 1'000, 300, 12, 0, 688, untraced.balances[0].without}));
  EXPECT_THAT(untraced.balances[0].without, HasSubstr("not traced"));
  EXPECT_EQ(untraced.balances[1].unexplained, -1);

  ProfileBuilder trace({}, 1);
  trace.profile.drops = {drop("NETFILTER_DROP", "nf_hook_slow", 680),
                         drop("NETFILTER_DROP", "nf_hook_slow", 9, "eth0", "ipv6"),
                         drop("NO_SOCKET", "f", 99)};
  const Ledger traced = make_ledger(host.state, &trace.profile);
  EXPECT_EQ(traced.balances[0].dropped, 692u);
  EXPECT_EQ(traced.balances[0].unexplained, 8);
}

TEST(Ledger, KernelsThatCountAsForwardedWhatTheForwardHookDrops) {
  HostBuilder host(1);
  host.state.protocols = {{"Ip.InReceives", 100}, {"Ip.InDelivers", 20}, {"Ip.ForwDatagrams", 80}};
  ProfileBuilder trace({}, 1);
  trace.profile.drops = {drop("NETFILTER_DROP", "nf_hook_slow", 30)};
  const Balance known = make_ledger(host.state, &trace.profile).balances[0];
  EXPECT_EQ(known.dropped, 30u);
  EXPECT_EQ(known.forwarded_then_dropped, 30u);
  EXPECT_EQ(known.unexplained, 0);
  // More than was dropped cannot be.
  host.state.protocols["Ip.InReceives"] = 69;
  const Balance more = make_ledger(host.state, &trace.profile).balances[0];
  EXPECT_EQ(more.forwarded_then_dropped, 0u);
  EXPECT_EQ(more.unexplained, -61);
}

TEST(Ledger, OtherNamespacesStandApart) {
  HostBuilder host(1);
  host.state.netns = 100;
  host.nic("eth0", 1).qdiscs[0].drops = 8;
  host.state.protocols = {{"Ip.InReceives", 10}, {"Ip.InDelivers", 10}, {"Udp.RcvbufErrors", 5}};
  ProfileBuilder trace({}, 1);
  const auto at = [](Drops row, uint32_t netns) {
    row.netns = netns;
    return row;
  };
  trace.profile.drops = {
      at(drop("QDISC_DROP", "f", 8), 100),
      at(drop("QDISC_DROP", "f", 3), 200),
      at(drop("SOCKET_RCVBUFF", "udp_queue_rcv_one_skb", 5), 100),
      at(drop("SOCKET_RCVBUFF", "udp_queue_rcv_one_skb", 4), 200),
      at(drop("NETFILTER_DROP", "nf_hook_slow", 7), 200),
  };
  const Ledger ledger = make_ledger(host.state, &trace.profile);
  EXPECT_THAT(ledger.losses,
              ElementsAre(LedgerRow{DropLayer::stack, "eth0", "NETFILTER_DROP", "kfree_skb", 7, 200},
                          LedgerRow{DropLayer::socket, "", "Udp.RcvbufErrors", "snmp", 5},
                          LedgerRow{DropLayer::socket, "eth0", "SOCKET_RCVBUFF", "kfree_skb", 4, 200},
                          LedgerRow{DropLayer::qdisc, "eth0", "fq_codel 0:", "qdisc", 8},
                          LedgerRow{DropLayer::qdisc, "eth0", "QDISC_DROP", "kfree_skb", 3, 200}));
  EXPECT_EQ(ledger.balances[0].unexplained, 0) << "another namespace's firewall took nothing from here";
}

}  // namespace
}  // namespace nettoll
