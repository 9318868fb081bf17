// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/diagnose/diagnosed.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Receive samples of an event on a CPU, which each stand for 1000 events.
void receive(ProfileBuilder& trace, uint32_t event, uint32_t cpu, uint32_t samples) {
  trace.sample(event, cpu, {"ip_rcv", "net_rx_action"}, samples, samples * 1000)
      .count(event, cpu, samples * 1000);
}

void packets(ProfileBuilder& trace, std::vector<uint64_t> by_cpu) {
  for (uint32_t cpu = 0; cpu < by_cpu.size(); ++cpu) {
    trace.profile.packets.push_back({Path::rx, cpu, by_cpu[cpu], by_cpu[cpu]});
  }
}

TEST(CostRules, ImbalanceNeedsBothARatioAndErrors) {
  const struct {
    const char* what;
    uint32_t here, there;  // samples on CPU 0 and on CPU 1, for as many packets
    bool found;
  } cases[] = {
      // 400 ± 20 against 200 ± 14: 8 standard errors.
      {"twice, surely", 400, 200, true},
      // 149 ± 12.2 against 100 ± 10: 3.1 standard errors, 1.49 times.
      {"surely, and not 1.5 times", 149, 100, false},
      // 32 ± 5.7 against 20 ± 4.5: 1.6 times, 1.7 standard errors.
      {"1.6 times, perhaps", 32, 20, false},
      {"too few samples to have an error", 100, 15, false},
      {"the same", 200, 200, false},
  };
  for (const auto& c : cases) {
    const HostBuilder host(2);
    ProfileBuilder trace({"cycles"}, 2);
    receive(trace, 0, 0, c.here);
    receive(trace, 0, 1, c.there);
    packets(trace, {10'000, 10'000});
    EXPECT_EQ(find(diagnose(host.state, trace.profile), "cpu_cost_imbalance") != nullptr, c.found) << c.what;
  }
}

TEST(CostRules, ImbalanceIsPerPacket) {
  const HostBuilder host(2);
  ProfileBuilder trace({"cycles"}, 2);
  receive(trace, 0, 0, 400);
  receive(trace, 0, 1, 200);
  packets(trace, {20'000, 10'000});
  EXPECT_THAT(ids(diagnose(host.state, trace.profile)), IsEmpty());
}

TEST(CostRules, ImbalanceOfMisses) {
  const HostBuilder host(2);
  ProfileBuilder trace({"cycles", "cache-misses"}, 2);
  for (const uint32_t cpu : {0u, 1u}) receive(trace, 0, cpu, 400);
  receive(trace, 1, 0, 100);
  receive(trace, 1, 1, 400);
  packets(trace, {10'000, 10'000});
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  ASSERT_THAT(ids(diagnosis), ElementsAre("cpu_cost_imbalance"));
  EXPECT_EQ(diagnosis.findings[0].subject, "CPU 1");
  EXPECT_THAT(diagnosis.findings[0].condition, HasSubstr("4.0 times the cache-misses"));
  EXPECT_DOUBLE_EQ(diagnosis.findings[0].evidence[0].value, 40);
  EXPECT_DOUBLE_EQ(diagnosis.findings[0].evidence[1].value, 10);
}

TEST(CostRules, ACpuWithHardlyAnyPacketsDoesNotMatter) {
  const HostBuilder host(2);
  ProfileBuilder trace({"cycles"}, 2);
  receive(trace, 0, 0, 400);
  receive(trace, 0, 1, 2000);
  packets(trace, {1'000, 99'000});
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  EXPECT_EQ(check(diagnosis, "cpu_cost_imbalance")->outcome, Check::Outcome::fine);
}

TEST(CostRules, OneCpuCannotBeCompared) {
  const HostBuilder host(2);
  ProfileBuilder trace({"cycles"}, 2);
  receive(trace, 0, 0, 400);
  packets(trace, {10'000, 999});
  EXPECT_EQ(check(diagnose(host.state, trace.profile), "cpu_cost_imbalance")->outcome,
            Check::Outcome::unknown);
}

TEST(CostRules, LockContention) {
  const struct {
    const char* what;
    const char* function;
    uint32_t waiting, all;
    std::optional<Severity> severity;
  } cases[] = {
      {"10%", "native_queued_spin_lock_slowpath", 20, 200, Severity::note},
      {"a quarter", "native_queued_spin_lock_slowpath", 50, 200, Severity::warning},
      {"paravirtualized", "__pv_queued_spin_lock_slowpath", 50, 200, Severity::warning},
      {"less", "native_queued_spin_lock_slowpath", 19, 200, {}},
      {"too few samples", "native_queued_spin_lock_slowpath", 15, 50, {}},
      {"taking a free lock", "_raw_spin_lock", 100, 200, {}},
  };
  for (const auto& c : cases) {
    const HostBuilder host(2);
    ProfileBuilder trace({"cycles"}, 2);
    trace.sample(0, 0, {c.function, "_raw_spin_lock", "udp_queue_rcv_skb", "net_rx_action"}, c.waiting,
                 c.waiting);
    trace.sample(0, 0, {"ip_rcv", "net_rx_action"}, c.all - c.waiting, c.all - c.waiting);
    trace.count(0, 0, c.all);
    packets(trace, {10'000});
    const Diagnosis diagnosis = diagnose(host.state, trace.profile);
    const Finding* found = find(diagnosis, "lock_contention_in_receive");
    ASSERT_EQ(found != nullptr, c.severity.has_value()) << c.what;
    if (found) {
      EXPECT_EQ(found->severity, *c.severity) << c.what;
    }
  }
}

TEST(CostRules, WaitingWhileSendingIsNoReceiveWork) {
  const HostBuilder host(2);
  ProfileBuilder trace({"cycles"}, 2);
  trace.sample(0, 0, {"native_queued_spin_lock_slowpath", "__dev_queue_xmit", "udp_sendmsg"}, 100, 100);
  trace.sample(0, 0, {"ip_rcv", "net_rx_action"}, 100, 100).count(0, 0, 200);
  EXPECT_THAT(ids(diagnose(host.state, trace.profile)), IsEmpty());
}

}  // namespace
}  // namespace nettoll
