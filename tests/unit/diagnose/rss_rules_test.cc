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

using Spoil = void (*)(HostBuilder&, Nic&);

/// What one change to a healthy device with four queues on four CPUs is found to be.
struct RssCase {
  const char* what;
  Spoil spoil;
  std::vector<std::string> found;
};

void all_on_queue_0(Nic& nic) {
  HostBuilder::receive(nic, {990'000, 4'000, 3'000, 3'000});
}

void forget_hash(Nic& nic) {
  for (auto& [protocol, fields] : nic.flow_hash) fields = {{}, "Operation not supported"};
}

void without_ports(Nic& nic, const char* protocol) {
  nic.flow_hash[protocol] = answered(FlowHash{protocol, true, false});
}

const RssCase kCases[] = {
    {"healthy", [](HostBuilder&, Nic&) {}, {}},
    {"table names one queue",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::table(nic, {128, 0, 0, 0});
       HostBuilder::receive(nic, {1'000'000, 0, 0, 0});
     },
     {"rss_not_in_effect"}},
    {"table sends 80% to a queue, and it gets them",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::table(nic, {80, 10, 5, 5});
       HostBuilder::receive(nic, {800'000, 100'000, 50'000, 50'000});
     },
     {"rss_not_in_effect"}},
    {"table sends 79% to a queue, and it gets them",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::table(nic, {79, 11, 5, 5});
       HostBuilder::receive(nic, {790'000, 110'000, 50'000, 50'000});
     },
     {"indirection_uneven"}},
    {"one queue of an even table that tells its fields",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::receive(nic, {1'000'000, 0, 0, 0});
     },
     {"one_dominant_flow"}},
    {"80% in one queue",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::receive(nic, {800'000, 100'000, 50'000, 50'000});
     },
     {"one_dominant_flow"}},
    {"79% in one queue",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::receive(nic, {790'000, 110'000, 50'000, 50'000});
     },
     {}},
    {"no fields told, others get a little",
     [](HostBuilder&, Nic& nic) {
       all_on_queue_0(nic);
       forget_hash(nic);
     },
     {"one_dominant_flow"}},
    {"no fields told, others get nothing",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::receive(nic, {1'000'000, 20, 0, 0});
       forget_hash(nic);
     },
     {"rss_not_in_effect"}},
    {"no table and no fields told, others get nothing",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::receive(nic, {1'000'000, 0, 0, 0});
       forget_hash(nic);
       nic.indirection = {{}, "Operation not supported"};
     },
     {"rss_not_in_effect"}},
    {"addresses alone for UDP",
     [](HostBuilder&, Nic& nic) {
       all_on_queue_0(nic);
       without_ports(nic, "udp4");
     },
     {"hash_on_addresses_only"}},
    {"addresses alone for UDP, half of the load on a queue",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::receive(nic, {500'000, 200'000, 200'000, 100'000});
       without_ports(nic, "udp4");
     },
     {"hash_on_addresses_only"}},
    {"addresses alone for UDP, and it spreads",
     [](HostBuilder&, Nic& nic) { without_ports(nic, "udp4"); },
     {}},
    {"addresses alone for UDP, which the host has none of",
     [](HostBuilder& host, Nic& nic) {
       all_on_queue_0(nic);
       without_ports(nic, "udp4");
       host.state.protocols["Udp.InDatagrams"] = 10;
       host.state.protocols["Tcp.InSegs"] = 900'000;
     },
     {"one_dominant_flow"}},
    {"addresses alone for UDP, on a host that forwards",
     [](HostBuilder& host, Nic& nic) {
       all_on_queue_0(nic);
       without_ports(nic, "udp4");
       host.state.protocols["Udp.InDatagrams"] = 10;
       host.state.protocols["Tcp.InSegs"] = 3'000;
     },
     {"hash_on_addresses_only"}},
    {"the table comes before the fields",
     [](HostBuilder&, Nic& nic) {
       all_on_queue_0(nic);
       without_ports(nic, "udp4");
       HostBuilder::table(nic, {128, 0, 0, 0});
     },
     {"rss_not_in_effect"}},
    {"table leaves one of four out",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::table(nic, {43, 43, 42, 0});
       HostBuilder::receive(nic, {340'000, 330'000, 330'000, 0});
     },
     {"indirection_leaves_queues_out"}},
    {"table has one bucket more for a queue",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::table(nic, {2, 1, 1, 1});
     },
     {}},
    {"table is uneven, load is not",
     [](HostBuilder&, Nic& nic) {
       HostBuilder::table(nic, {70, 20, 20, 18});
     },
     {}},
    {"half of the channels, cool",
     [](HostBuilder&, Nic& nic) {
       nic.channels = answered(Channels{0, 0, 4, 0, 0, 8});
     },
     {}},
    {"device is down",
     [](HostBuilder&, Nic& nic) {
       all_on_queue_0(nic);
       nic.up = false;
     },
     {}},
    {"no hardware below it",
     [](HostBuilder&, Nic& nic) {
       all_on_queue_0(nic);
       nic.physical = false;
     },
     {}},
};

TEST(RssRules, OneCauseForEachSymptom) {
  for (const auto& c : kCases) {
    HostBuilder host(4);
    Nic& nic = host.nic("eth0", 4);
    c.spoil(host, nic);
    EXPECT_EQ(ids(diagnose(host)), c.found) << c.what;
  }
}

TEST(RssRules, LittleTrafficShowsNothing) {
  const struct {
    uint64_t packets;
    double seconds;
    bool judged;
  } cases[] = {{999, 1, false}, {1000, 1, true}, {1000, 10, true}, {1000, 10.1, false}};
  for (const auto& c : cases) {
    HostBuilder host(4);
    host.state.seconds = c.seconds;
    Nic& nic = host.nic("eth0", 4);
    HostBuilder::table(nic, {128, 0, 0, 0});
    HostBuilder::receive(nic, {c.packets, 0, 0, 0});
    const Diagnosis diagnosis = diagnose(host);
    const Check* asked = check(diagnosis, "rss_not_in_effect");
    EXPECT_EQ(asked->outcome, c.judged ? Check::Outcome::found : Check::Outcome::unknown) << c.packets;
    EXPECT_EQ(asked->why.starts_with("too little traffic"), !c.judged) << asked->why;
  }
}

TEST(RssRules, AnIdleDeviceIsNoGapBesideABusyOne) {
  HostBuilder host(4);
  host.nic("eth0", 4);
  HostBuilder::receive(host.nic("eth1", 4), {10, 0, 0, 0});
  EXPECT_EQ(check(diagnose(host), "rss_not_in_effect")->outcome, Check::Outcome::fine);
}

TEST(RssRules, TheTableIsNamedAndPutRight) {
  HostBuilder host(4);
  Nic& nic = host.nic("ens3f0", 4);
  HostBuilder::table(nic, {128, 0, 0, 0});
  HostBuilder::receive(nic, {1'000'000, 0, 0, 0});
  host.softirq(0, 0.95, 1'000'000);
  const Diagnosis diagnosis = diagnose(host);
  const Finding* found = find(diagnosis, "rss_not_in_effect");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->subject, "ens3f0");
  EXPECT_EQ(found->severity, Severity::critical);
  EXPECT_THAT(found->explanation, HasSubstr("indirection table sends 100% of all flows to queue 0"));
  EXPECT_THAT(found->remedy, ElementsAre("ethtool -X ens3f0 equal 4"));
  // The full CPU is the same trouble.
  EXPECT_THAT(ids(diagnosis), ElementsAre("rss_not_in_effect"));
}

TEST(RssRules, SeverityIsWhatItCosts) {
  const struct {
    double softirq;
    Severity severity;
  } cases[] = {
      {0.49, Severity::note}, {0.5, Severity::warning}, {0.89, Severity::warning}, {0.9, Severity::critical}};
  for (const auto& c : cases) {
    HostBuilder host(4);
    Nic& nic = host.nic("eth0", 4);
    HostBuilder::table(nic, {128, 0, 0, 0});
    HostBuilder::receive(nic, {1'000'000, 0, 0, 0});
    host.softirq(0, c.softirq, 1'000'000);
    EXPECT_EQ(find(diagnose(host), "rss_not_in_effect")->severity, c.severity) << c.softirq;
  }
}

TEST(RssRules, TooFewChannels) {
  const struct {
    const char* what;
    uint32_t queues, most, cpus;
    double hot;
    std::vector<std::string> found;
    const char* remedy;
  } cases[] = {
      {"one of four", 1, 4, 8, 0.7, {"too_few_channels"}, "ethtool -L eth0 combined 4"},
      {"one of many: as many as CPUs", 1, 64, 4, 0.7, {"too_few_channels"}, "ethtool -L eth0 combined 4"},
      {"two of four", 2, 4, 4, 0.5, {"too_few_channels"}, "ethtool -L eth0 combined 4"},
      {"cool", 1, 4, 8, 0.49, {}, ""},
      {"as many as CPUs", 4, 64, 4, 0.7, {}, ""},
      {"all that it has", 4, 4, 8, 0.7, {}, ""},
  };
  for (const auto& c : cases) {
    HostBuilder host(c.cpus);
    Nic& nic = host.nic("eth0", c.queues);
    nic.channels = answered(Channels{0, 0, c.queues, 0, 0, c.most});
    host.softirq(0, c.hot, 1'000'000);
    const Diagnosis diagnosis = diagnose(host);
    EXPECT_EQ(ids(diagnosis), c.found) << c.what;
    if (!c.found.empty()) {
      EXPECT_TRUE(has_remedy(find(diagnosis, c.found[0]), c.remedy)) << c.what;
    }
  }
}

TEST(RssRules, SeparateChannelsAreSetByDirection) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 1);
  nic.channels = answered(Channels{1, 1, 0, 4, 4, 0});
  host.softirq(0, 0.7, 1'000'000);
  EXPECT_TRUE(has_remedy(find(diagnose(host), "too_few_channels"), "ethtool -L eth0 rx 4"));
}

TEST(RssRules, ChannelsAloneWithoutTimesAreUnknown) {
  HostBuilder host(4);
  host.nic("eth0", 1).channels = answered(Channels{0, 0, 1, 0, 0, 4});
  for (auto& cpu : host.state.cpus) {
    cpu.times.reset();
    cpu.ksoftirqd_ticks.reset();
  }
  const Diagnosis diagnosis = diagnose(host);
  EXPECT_THAT(ids(diagnosis), IsEmpty());
  EXPECT_EQ(check(diagnosis, "too_few_channels")->outcome, Check::Outcome::unknown);
}

TEST(RssRules, EveryProtocolWithoutPortsGetsItsCommand) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  all_on_queue_0(nic);
  without_ports(nic, "udp4");
  without_ports(nic, "udp6");
  const Diagnosis diagnosis = diagnose(host);
  EXPECT_THAT(
      find(diagnosis, "hash_on_addresses_only")->remedy,
      ElementsAre("ethtool -N eth0 rx-flow-hash udp4 sdfn", "ethtool -N eth0 rx-flow-hash udp6 sdfn"));
}

TEST(RssRules, NoSpreadingIsAdvisedForOneFlow) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  all_on_queue_0(nic);
  const Diagnosis diagnosis = diagnose(host);
  ASSERT_THAT(ids(diagnosis), ElementsAre("one_dominant_flow"));
  for (const char* wrong : {"ethtool -X", "ethtool -L", "ethtool -N", "rps_cpus"}) {
    EXPECT_FALSE(has_remedy(&diagnosis.findings[0], wrong)) << wrong;
  }
  EXPECT_THAT(diagnosis.findings[0].explanation, HasSubstr("inferred from the queues"));
}

TEST(RssRules, QueuesThatAreKeptOutAreListed) {
  HostBuilder host(8);
  Nic& nic = host.nic("eth0", 8);
  HostBuilder::table(nic, {32, 32, 32, 0, 0, 0, 0, 32});
  HostBuilder::receive(nic, {250'000, 250'000, 250'000, 0, 0, 0, 0, 250'000});
  const Diagnosis diagnosis = diagnose(host);
  const Finding* found = find(diagnosis, "indirection_leaves_queues_out");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->explanation, HasSubstr("queue 3-6"));
  EXPECT_TRUE(has_remedy(found, "ethtool -X eth0 equal 8"));
}

TEST(RssRules, MoreQueuesThanCpusNeedNoTableForAll) {
  HostBuilder host(2);
  Nic& nic = host.nic("eth0", 4);
  HostBuilder::table(nic, {64, 64, 0, 0});
  HostBuilder::receive(nic, {500'000, 500'000, 0, 0});
  EXPECT_THAT(ids(diagnose(host)), IsEmpty());
}

TEST(RssRules, QueuesOfTheTraceServeWhereTheDriverIsSilent) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  for (auto& queue : nic.rx_queues) queue.packets.reset();
  for (auto& vector : nic.vectors) vector.by_cpu.assign(4, 0);
  HostBuilder::table(nic, {128, 0, 0, 0});
  ProfileBuilder trace({}, 4);
  trace.profile.queues = {{{1, nic.ifindex}, "eth0", 0, 900'000}, {{1, 77}, "eth0", 1, 900'000}};
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  EXPECT_THAT(ids(diagnosis), ElementsAre("rss_not_in_effect"));
  EXPECT_DOUBLE_EQ(find(diagnosis, "rss_not_in_effect")->evidence[0].value, 900'000);

  // Most packets without a queue: the others show nothing, and the table speaks alone.
  trace.profile.queues.push_back({{1, nic.ifindex}, "eth0", -1, 900'001});
  const Diagnosis by_table = diagnose(host.state, trace.profile);
  EXPECT_THAT(ids(by_table), ElementsAre("rss_not_in_effect"));
  EXPECT_EQ(by_table.findings[0].condition,
            "queue 0 of eth0 gets 100% of its flows, 3 queues share the rest");
  nic.indirection = {{}, "Operation not supported"};
  EXPECT_EQ(check(diagnose(host.state, trace.profile), "rss_not_in_effect")->outcome,
            Check::Outcome::unknown);
}

TEST(RssRules, CostIsThatOfTheHotCpuAgainstTheOthers) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  HostBuilder::table(nic, {128, 0, 0, 0});
  HostBuilder::receive(nic, {1'000'000, 0, 0, 0});
  ProfileBuilder trace({"cycles"}, 4);
  trace.sample(0, 0, {"ip_rcv", "net_rx_action"}, 100, 1000).count(0, 0, 4'000'000);
  trace.sample(0, 1, {"ip_rcv", "net_rx_action"}, 100, 1000).count(0, 1, 3'000'000);
  trace.profile.packets = {{Path::rx, 0, 2'000, 2'000}, {Path::rx, 1, 1'000, 1'000}};
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  const Finding* found = find(diagnosis, "rss_not_in_effect");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->cost,
              ElementsAre(Evidence{"cycles a received packet on CPU 0", 2000, "cycles"},
                          Evidence{"cycles a received packet on the other CPUs", 3000, "cycles"}));
}

TEST(RssRules, InterruptsWithoutAQueueAreNotCalledQueues) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  for (auto& queue : nic.rx_queues) queue.packets.reset();
  for (auto& vector : nic.vectors) {
    vector.role = Vector::Role::unknown;
    vector.queue.reset();
    vector.by_cpu = {0, 0, 0, 0};
  }
  nic.vectors[2].by_cpu = {0, 0, 50'000, 0};
  forget_hash(nic);
  const Diagnosis diagnosis = diagnose(host);
  const Finding* found = find(diagnosis, "rss_not_in_effect");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->condition, HasSubstr("interrupt 302"));
  EXPECT_THAT(found->condition, Not(HasSubstr("queue 0")));
}

}  // namespace
}  // namespace nettoll
