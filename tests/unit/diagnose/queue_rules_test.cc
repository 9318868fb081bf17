// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/diagnose/diagnosed.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(QueueRules, RingOverflowBySource) {
  const struct {
    const char* what;
    void (*spoil)(Nic&);
    double lost;  // 0: no finding
  } cases[] = {
      {"none", [](Nic&) {}, 0},
      {"missed", [](Nic& nic) { nic.link.rx_missed = 500; }, 500},
      {"fifo", [](Nic& nic) { nic.link.rx_fifo = 400; }, 400},
      {"mlx5", [](Nic& nic) { (*nic.statistics.value)["rx_out_of_buffer"] = 300; }, 300},
      {"the same ones twice",
       [](Nic& nic) {
         nic.link.rx_missed = 500;
         (*nic.statistics.value)["rx_missed_errors"] = 500;
         (*nic.statistics.value)["rx_no_buffer_count"] = 20;
       },
       500},
      {"XDP's drops among the driver's",
       [](Nic& nic) {
         (*nic.statistics.value)["rx_queue_0_drops"] = 100;
         (*nic.statistics.value)["rx_queue_0_xdp_drops"] = 100;
       },
       0},
      {"queues, where there are no statistics",
       [](Nic& nic) {
         nic.statistics = {{}, "Operation not supported"};
         nic.rx_queues[0].drops = 30;
         nic.rx_queues[3].drops = 40;
       },
       70},
      {"damaged frames are no matter of rings", [](Nic& nic) { nic.link.rx_errors = nic.link.rx_crc = 50; },
       0},
  };
  for (const auto& c : cases) {
    HostBuilder host(4);
    c.spoil(host.nic("eth0", 4));
    const Diagnosis diagnosis = diagnose(host);
    const Finding* found = find(diagnosis, "ring_overflow");
    ASSERT_EQ(found != nullptr, c.lost > 0) << c.what;
    if (found) {
      EXPECT_DOUBLE_EQ(found->evidence[0].value, c.lost / HostBuilder::kSeconds) << c.what;
    }
  }
}

TEST(QueueRules, RingOverflowSeverity) {
  const struct {
    uint64_t lost;
    Severity severity;
  } cases[] = {
      {9, Severity::note}, {10, Severity::warning}, {999, Severity::warning}, {1'001, Severity::critical}};
  for (const auto& c : cases) {
    HostBuilder host(4);
    host.nic("eth0", 4).link.rx_missed = c.lost;
    EXPECT_EQ(find(diagnose(host), "ring_overflow")->severity, c.severity) << c.lost;
  }
}

TEST(QueueRules, RingGrowsOnlyWhereThatHelps) {
  HostBuilder host(4);
  host.nic("eth0", 4).link.rx_missed = 500;
  EXPECT_THAT(find(diagnose(host), "ring_overflow")->remedy, ElementsAre("ethtool -G eth0 rx 4096"));

  host.softirq(2, 0.95, 250'000);
  EXPECT_THAT(find(diagnose(host), "ring_overflow")->remedy, IsEmpty());

  host.softirq(2, 0.05, 250'000);
  host.state.nics[0].rings = answered(RingSizes{4096, 1024, 4096, 4096});
  EXPECT_THAT(find(diagnose(host), "ring_overflow")->remedy, IsEmpty());
}

TEST(QueueRules, InterruptStorm) {
  const struct {
    const char* what;
    uint64_t interrupts, packets;
    Answer<Coalescing> coalescing;
    Check::Outcome outcome;
    const char* remedy;
  } cases[] = {
      {"one a packet", 200'000, 200'000, answered(Coalescing{0, 1, false}), Check::Outcome::found,
       "ethtool -C eth0 adaptive-rx on"},
      {"one for two packets", 200'000, 400'000, answered(Coalescing{0, 0, false}), Check::Outcome::found,
       "ethtool -C eth0 adaptive-rx on"},
      {"one for more than two", 200'000, 400'010, answered(Coalescing{0, 0, false}), Check::Outcome::fine,
       ""},
      {"a low rate", 199'999, 199'999, answered(Coalescing{0, 0, false}), Check::Outcome::fine, ""},
      {"coalescing", 200'000, 200'000, answered(Coalescing{1, 0, false}), Check::Outcome::fine, ""},
      {"adaptive", 200'000, 200'000, answered(Coalescing{0, 0, true}), Check::Outcome::fine, ""},
      {"no setting",
       200'000,
       200'000,
       {{}, "Operation not supported"},
       Check::Outcome::found,
       "napi_defer_hard_irqs"},
  };
  for (const auto& c : cases) {
    HostBuilder host(4);
    Nic& nic = host.nic("eth0", 4);
    HostBuilder::receive(nic, {c.packets / 4, c.packets / 4, c.packets / 4, c.packets - 3 * (c.packets / 4)});
    for (uint32_t i = 0; i < 4; ++i)
      nic.vectors[i].by_cpu[i] = c.interrupts / 4 + (i < c.interrupts % 4 ? 1 : 0);
    nic.link.tx_packets = 0;
    nic.coalescing = c.coalescing;
    const Diagnosis diagnosis = diagnose(host);
    EXPECT_EQ(check(diagnosis, "interrupt_storm")->outcome, c.outcome) << c.what;
    if (*c.remedy) {
      EXPECT_TRUE(has_remedy(find(diagnosis, "interrupt_storm"), c.remedy)) << c.what;
    }
  }
}

TEST(QueueRules, InterruptsOfSendingAreNoStorm) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  nic.coalescing = answered(Coalescing{0, 0, false});
  HostBuilder::receive(nic, {50'000, 50'000, 50'000, 50'000});
  for (uint32_t i = 0; i < 4; ++i) nic.vectors[i].by_cpu[i] = 50'000;
  nic.link.tx_packets = 1'000'000;
  EXPECT_THAT(ids(diagnose(host)), IsEmpty());
}

TEST(QueueRules, GroOff) {
  const struct {
    const char* what;
    std::map<std::string, bool> features;
    uint64_t tcp;
    Check::Outcome outcome;
  } cases[] = {
      {"on", {{"rx-gro", true}}, 900'000, Check::Outcome::fine},
      {"off", {{"rx-gro", false}}, 900'000, Check::Outcome::found},
      {"off, and the device merges", {{"rx-gro", false}, {"rx-lro", true}}, 900'000, Check::Outcome::fine},
      {"off, with a fifth TCP", {{"rx-gro", false}}, 200'000, Check::Outcome::found},
      {"off, with less", {{"rx-gro", false}}, 199'999, Check::Outcome::fine},
      {"not told", {}, 900'000, Check::Outcome::unknown},
  };
  for (const auto& c : cases) {
    HostBuilder host(4);
    host.nic("eth0", 4).features = c.features;
    host.state.protocols["Tcp.InSegs"] = c.tcp;
    const Diagnosis diagnosis = diagnose(host);
    EXPECT_EQ(check(diagnosis, "gro_off")->outcome, c.outcome) << c.what;
    if (c.outcome == Check::Outcome::found) {
      EXPECT_TRUE(has_remedy(find(diagnosis, "gro_off"), "ethtool -K eth0 gro on"));
    }
  }
}

}  // namespace
}  // namespace nettoll
