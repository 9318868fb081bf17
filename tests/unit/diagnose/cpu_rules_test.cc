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

constexpr uint32_t kTimer = 1, kNetRx = 3;
constexpr uint64_t kSecond = 1'000'000'000;

TEST(CpuRules, Saturation) {
  const struct {
    const char* what;
    double softirq;
    uint64_t packets;
    std::optional<double> net_rx;
    bool found;
  } cases[] = {
      {"90% with packets", 0.9, 100'000, {}, true},
      {"less", 0.89, 100'000, {}, false},
      {"without packets these are other softirqs", 1, 100, {}, false},
      {"traced NET_RX", 0.2, 100'000, 0.9, true},
      {"NET_RX has half of it", 0.95, 100'000, 0.5, true},
      {"NET_RX has little of it", 0.95, 100'000, 0.1, false},
  };
  for (const auto& c : cases) {
    HostBuilder host(4);
    host.softirq(2, c.softirq, c.packets);
    ProfileBuilder trace({}, 4);
    if (c.net_rx) {
      trace.profile.softirqs = {{kNetRx, 2, 100, static_cast<uint64_t>(*c.net_rx * kSecond)},
                                {kTimer, 2, 100, kSecond / 20}};
    }
    const Diagnosis diagnosis = diagnose(host.state, c.net_rx ? &trace.profile : nullptr, nullptr);
    const Finding* found = find(diagnosis, "softirq_cpu_saturated");
    ASSERT_EQ(found != nullptr, c.found) << c.what;
    if (!found) continue;
    EXPECT_EQ(found->subject, "CPU 2");
    EXPECT_EQ(found->severity, Severity::critical);
    EXPECT_THAT(found->explanation, HasSubstr("cause is not established"));
  }
}

TEST(CpuRules, KsoftirqdAloneCounts) {
  HostBuilder host(4);
  host.softirq(1, 0.3, 100'000);
  host.state.cpus[1].ksoftirqd_ticks = 950;
  EXPECT_THAT(ids(diagnose(host)), ElementsAre("softirq_cpu_saturated"));
}

TEST(CpuRules, OneFindingForManySaturatedCpus) {
  HostBuilder host(4);
  for (uint32_t cpu = 0; cpu < 4; ++cpu) host.softirq(cpu, 0.9 + 0.01 * cpu, 100'000);
  const Diagnosis diagnosis = diagnose(host);
  ASSERT_THAT(ids(diagnosis), ElementsAre("softirq_cpu_saturated"));
  EXPECT_EQ(diagnosis.findings[0].subject, "CPU 3");
  EXPECT_THAT(words(diagnosis.findings[0]), HasSubstr("CPUs in this state 4"));
  EXPECT_THAT(words(diagnosis.findings[0]), Not(HasSubstr("the mean of all CPUs hides it")));
}

TEST(CpuRules, ACpuThatADeviceExplainsIsNoFindingOfItsOwn) {
  HostBuilder host(4);
  host.serve(host.nic("eth0", 4), {1, 1, 1, 1});
  host.softirq(1, 0.95, 1'000'000);
  EXPECT_THAT(ids(diagnose(host)), ElementsAre("vectors_on_one_cpu"));
  host.softirq(2, 0.95, 1'000'000);  // another one is not explained
  EXPECT_THAT(ids(diagnose(host)), ElementsAre("softirq_cpu_saturated", "vectors_on_one_cpu"));
}

TEST(CpuRules, ADeviceExplainsAllThatItsQueuesFill) {
  HostBuilder host(4);
  host.nic("eth0", 2).channels = answered(Channels{0, 0, 2, 0, 0, 4});
  for (const uint32_t cpu : {0u, 1u}) host.softirq(cpu, 0.95, 500'000);
  EXPECT_THAT(ids(diagnose(host)), ElementsAre("too_few_channels"));
}

TEST(CpuRules, ALoadThatIsSpreadAndTooMuchIsSaidToBe) {
  HostBuilder host(2);
  host.nic("eth0", 2);
  for (const uint32_t cpu : {0u, 1u}) host.softirq(cpu, 0.95, 500'000);
  const Diagnosis diagnosis = diagnose(host);
  ASSERT_THAT(ids(diagnosis), ElementsAre("softirq_cpu_saturated"));
  EXPECT_THAT(diagnosis.findings[0].explanation, HasSubstr("it serves eth0, whose load is spread"));
}

TEST(CpuRules, TimeSqueeze) {
  const struct {
    const char* what;
    uint64_t squeezes;
    uint64_t runs;
    double softirq;
    std::optional<Severity> severity;
  } cases[] = {
      {"10 a second, 5% of runs", 100, 2'000, 0.3, Severity::note},
      {"a quarter of runs", 500, 2'000, 0.3, Severity::warning},
      {"too rare", 99, 1'000, 0.3, {}},
      {"few of many runs", 100, 2'001, 0.3, {}},
      {"no time left anyway", 500, 2'000, 0.95, {}},
  };
  for (const auto& c : cases) {
    HostBuilder host(2);
    host.softirq(1, c.softirq, 100'000);
    host.state.cpus[1].softnet->time_squeeze = c.squeezes;
    host.state.cpus[1].softirqs["NET_RX"] = c.runs;
    const Diagnosis diagnosis = diagnose(host);
    const Finding* found = find(diagnosis, "time_squeeze");
    ASSERT_EQ(found != nullptr, c.severity.has_value()) << c.what;
    if (!found) continue;
    EXPECT_EQ(found->severity, *c.severity) << c.what;
    EXPECT_EQ(found->subject, "CPU 1");
    EXPECT_THAT(found->remedy, ElementsAre("sysctl -w net.core.netdev_budget=600",
                                           "sysctl -w net.core.netdev_budget_usecs=4000"));
  }
}

TEST(CpuRules, BacklogOverflow) {
  HostBuilder host(2);
  host.softirq(0, 0.2, 99'000);
  host.softirq(1, 0.2, 0);
  host.state.cpus[0].softnet->dropped = 1'000;
  const Diagnosis diagnosis = diagnose(host);
  ASSERT_THAT(ids(diagnosis), ElementsAre("backlog_overflow"));
  const Finding& found = diagnosis.findings[0];
  EXPECT_EQ(found.severity, Severity::critical);  // 1%, and 100 a second
  EXPECT_EQ(found.remedy[0], "sysctl -w net.core.netdev_max_backlog=2000");
  EXPECT_THAT(words(found), HasSubstr("of all packets 1.000000%"));
  EXPECT_FALSE(has_remedy(&found, "netdev_budget"));
}

TEST(CpuRules, FlowLimitIsTold) {
  HostBuilder host(1);
  host.state.cpus[0].softnet->dropped = 5;
  host.state.cpus[0].softnet->flow_limit = 5;
  EXPECT_THAT(find(diagnose(host), "backlog_overflow")->explanation, HasSubstr("flow_limit_cpu_bitmap"));
}

}  // namespace
}  // namespace nettoll
