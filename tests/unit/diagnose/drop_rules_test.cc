// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/diagnose/diagnosed.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A trace of 10 s with 100,000 packets received.
ProfileBuilder traced(std::vector<Drops> drops) {
  ProfileBuilder trace({}, 4);
  trace.profile.duration_ns = 10'000'000'000;
  trace.profile.packets = {{Path::rx, 0, 100'000, 100'000}};
  trace.profile.drops = std::move(drops);
  return trace;
}

TEST(DropRules, SocketThatOverflows) {
  HostBuilder host(4);
  host.state.udp = {
      {false, 514, 7, 212'000, 50, "rsyslogd"}, {true, 53, 8, 0, 5'000, ""}, {false, 99, 9, 10, 0, ""}};
  host.state.protocols["Udp.RcvbufErrors"] = 5'050;
  const Diagnosis diagnosis = diagnose(host);
  ASSERT_THAT(ids(diagnosis), ElementsAre("receive_buffer_overflow", "receive_buffer_overflow"));
  EXPECT_EQ(diagnosis.findings[0].subject, "UDP6 port 53");
  EXPECT_EQ(diagnosis.findings[0].severity, Severity::critical);
  EXPECT_EQ(diagnosis.findings[1].subject, "UDP port 514 (rsyslogd)");
  EXPECT_EQ(diagnosis.findings[1].severity, Severity::warning);
  EXPECT_TRUE(has_remedy(&diagnosis.findings[1], "sysctl -w net.core.rmem_max=851968"));
}

TEST(DropRules, AHugeFullBufferIsASlowReader) {
  const struct {
    uint64_t queued;
    bool slow;
  } cases[] = {{(16u << 20) - 1, false}, {16u << 20, true}};
  for (const auto& c : cases) {
    HostBuilder host(4);
    host.state.udp = {{false, 514, 7, c.queued, 50, ""}};
    const Diagnosis diagnosis = diagnose(host);
    const Finding* found = find(diagnosis, "receive_buffer_overflow");
    ASSERT_TRUE(found);
    EXPECT_EQ(has_remedy(found, "rmem_max"), !c.slow);
    EXPECT_EQ(has_remedy(found, "SO_REUSEPORT"), c.slow);
  }
}

TEST(DropRules, ManySocketsAreNotAllListed) {
  HostBuilder host(4);
  for (uint16_t port = 1; port <= 9; ++port) host.state.udp.push_back({false, port, port, 0, port, ""});
  const Diagnosis diagnosis = diagnose(host);
  EXPECT_EQ(diagnosis.findings.size(), 5u);
  EXPECT_EQ(diagnosis.findings[0].subject, "UDP port 9");
}

TEST(DropRules, QdiscDrops) {
  const struct {
    const char* what;
    uint64_t drops, sent;
    std::optional<Severity> severity;
  } cases[] = {
      {"none", 0, 1'000'000, {}},
      {"its work", 99, 999'901, {}},
      {"one in ten thousand", 100, 999'900, Severity::note},
      {"one in a thousand", 1'000, 999'000, Severity::warning},
      {"one in a hundred", 10'000, 990'000, Severity::critical},
      {"100 a second of very many", 1'000, 100'000'000, Severity::note},
  };
  for (const auto& c : cases) {
    HostBuilder host(4);
    Nic& nic = host.nic("eth0", 4);
    nic.link.tx_packets = c.sent;
    nic.qdiscs[0].drops = c.drops;
    const Diagnosis diagnosis = diagnose(host);
    const Finding* found = find(diagnosis, "qdisc_drops");
    ASSERT_EQ(found != nullptr, c.severity.has_value()) << c.what;
    if (found) {
      EXPECT_EQ(found->severity, *c.severity) << c.what;
    }
  }
}

TEST(DropRules, ChildrenOfAQdiscAreNotAddedToIt) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  nic.qdiscs = {{"mq", "8001:", "root", 0, 2'000, 0, 0},
                {"fq", "0:", "8001:1", 0, 1'500, 0, 0},
                {"fq", "0:", "8001:2", 0, 500, 0, 0}};
  const Diagnosis diagnosis = diagnose(host);
  EXPECT_DOUBLE_EQ(find(diagnosis, "qdisc_drops")->evidence[0].value, 2'000);
}

TEST(DropRules, QdiscsThatCountAreNotCountedAgainFromTheTrace) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  nic.qdiscs[0].drops = 20'000;
  auto trace =
      traced({drop("QDISC_DROP", "kfree_skb_list_reason", 20'000), drop("QDISC_DROP", "f", 500, "veth7")});
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  EXPECT_THAT(ids(diagnosis), ElementsAre("qdisc_drops", "qdisc_drops"));
  EXPECT_TRUE(find(diagnosis, "qdisc_drops", "eth0"));
  EXPECT_TRUE(find(diagnosis, "qdisc_drops", "veth7"));
}

TEST(DropRules, ADeviceWithoutCarrier) {
  HostBuilder host(4);
  host.nic("veth0", 1).up = false;
  auto trace = traced({drop("QDISC_DROP", "__dev_queue_xmit", 5'000, "veth0")});
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  ASSERT_THAT(ids(diagnosis), ElementsAre("qdisc_drops"));
  EXPECT_THAT(words(diagnosis.findings[0]), HasSubstr("veth0 has no carrier"));
  EXPECT_THAT(diagnosis.findings[0].remedy,
              ElementsAre(HasSubstr("ip -details link"), HasSubstr("ip route")));
}

TEST(DropRules, OtherNamespacesAreNotThisHosts) {
  HostBuilder host(4);
  host.state.netns = 100;
  std::vector<Drops> drops = {drop("SOCKET_RCVBUFF", "udp_queue_rcv_one_skb", 5'000, "v0"),
                              drop("NO_SOCKET", "__udp4_lib_rcv", 50'000, "v0"),
                              drop("QDISC_DROP", "__dev_queue_xmit", 5'000, "v1")};
  for (auto& row : drops) row.netns = row.device == "v1" ? 201 : 200;
  auto trace = traced(drops);
  trace.profile.netns_names = {{201, "web"}};
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  EXPECT_THAT(ids(diagnosis), ElementsAre("drop_storm", "qdisc_drops", "receive_buffer_overflow"));
  for (const Finding& finding : diagnosis.findings) {
    EXPECT_EQ(finding.subject, "other namespaces") << finding.id;
    EXPECT_THAT(words(finding), HasSubstr(finding.id == "qdisc_drops" ? "in network namespace web"
                                                                      : "in network namespace 200"))
        << finding.id;
    EXPECT_THAT(words(finding), HasSubstr("nsenter")) << finding.id;
    // What these name is this namespace's.
    EXPECT_THAT(words(finding), Not(HasSubstr("ss -"))) << finding.id;
    EXPECT_THAT(words(finding), Not(HasSubstr("rmem_max"))) << finding.id;
  }
  // The own namespace's drops stay its own beside them.
  trace.profile.drops.push_back(drop("NO_SOCKET", "__udp4_lib_rcv", 50'000, "eth0"));
  trace.profile.drops.back().netns = 100;
  EXPECT_TRUE(find(diagnose(host.state, trace.profile), "drop_storm", "host"));
}

TEST(DropRules, Xdp) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  (*nic.statistics.value)["rx_xdp_drop"] = 50'000;
  const Diagnosis drops = diagnose(host);
  ASSERT_THAT(ids(drops), ElementsAre("xdp_drops"));
  EXPECT_EQ(drops.findings[0].severity, Severity::note);

  (*nic.statistics.value)["rx_xdp_tx_full"] = 50'000;
  EXPECT_EQ(find(diagnose(host), "xdp_drops")->severity, Severity::critical);

  nic.statistics = {{}, "Operation not supported"};
  nic.xdp = "native";
  EXPECT_EQ(check(diagnose(host), "xdp_drops")->outcome, Check::Outcome::unknown);
}

TEST(DropRules, StormsByReason) {
  const struct {
    const char* what;
    std::vector<Drops> drops;
    std::vector<std::string> found;
    Severity severity;
  } cases[] = {
      {"100 a second, 1%", {drop("TCP_CSUM", "tcp_v4_rcv", 1'000)}, {"drop_storm"}, Severity::warning},
      {"less", {drop("TCP_CSUM", "tcp_v4_rcv", 999)}, {}, {}},
      {"in two places together",
       {drop("TCP_CSUM", "a", 600), drop("TCP_CSUM", "b", 400)},
       {"drop_storm"},
       Severity::warning},
      {"two reasons are two",
       {drop("TCP_CSUM", "a", 1'000), drop("IP_CSUM", "b", 1'000)},
       {"drop_storm", "drop_storm"},
       Severity::warning},
      {"a firewall", {drop("NETFILTER_DROP", "nf_hook_slow", 90'000)}, {"drop_storm"}, Severity::note},
      {"AF_UNIX", {drop("NOT_SPECIFIED", "unix_stream_connect", 90'000, "", "none")}, {}, {}},
      {"transmit completion", {drop("NOT_SPECIFIED", "dev_kfree_skb_any_reason", 90'000)}, {}, {}},
      {"consumed", {drop("CONSUMED", "f", 90'000)}, {}, {}},
      {"another rule's", {drop("CPU_BACKLOG", "enqueue_to_backlog", 90'000)}, {}, {}},
  };
  for (const auto& c : cases) {
    const HostBuilder host(4);
    auto trace = traced(c.drops);
    const Diagnosis diagnosis = diagnose(host.state, trace.profile);
    EXPECT_EQ(ids(diagnosis), c.found) << c.what;
    if (!c.found.empty()) {
      EXPECT_EQ(diagnosis.findings[0].severity, c.severity) << c.what;
    }
  }
}

TEST(DropRules, AStormOfManyPacketsIsAPart) {
  const HostBuilder host(4);
  auto trace = traced({drop("TCP_CSUM", "tcp_v4_rcv", 9'999)});
  trace.profile.packets = {{Path::rx, 0, 1'000'000, 1'000'000}};
  EXPECT_THAT(ids(diagnose(host.state, trace.profile)), IsEmpty());
  trace.profile.drops[0].packets = 10'000;
  EXPECT_THAT(ids(diagnose(host.state, trace.profile)), ElementsAre("drop_storm"));
}

TEST(DropRules, AStormNamesNoFreeHelper) {
  const HostBuilder host(4);
  auto trace = traced(
      {drop("NEIGH_FAILED", "kfree_skb_list_reason", 9'000), drop("NEIGH_FAILED", "arp_error", 1'000)});
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  ASSERT_THAT(ids(diagnosis), ElementsAre("drop_storm"));
  EXPECT_THAT(words(diagnosis.findings[0]), Not(HasSubstr("kfree_skb_list_reason")));
  EXPECT_THAT(words(diagnosis.findings[0]), HasSubstr("of these in arp_error 10"));
}

TEST(DropRules, TracedDropsNeedNoWindow) {
  const HostState nothing;
  auto trace =
      traced({drop("SOCKET_RCVBUFF", "__udp_enqueue_schedule_skb", 5'000), drop("CPU_BACKLOG", "f", 5'000)});
  EXPECT_THAT(ids(diagnose(nothing, trace.profile)), ElementsAre("drop_storm", "receive_buffer_overflow"));
}

}  // namespace
}  // namespace nettoll
