// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/diagnose/diagnosed.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void rps(Nic& nic, std::vector<uint32_t> cpus) {
  for (auto& queue : nic.rx_queues) queue.rps_cpus = CpuSet{cpus};
}

TEST(SteeringRules, SingleQueue) {
  const struct {
    const char* what;
    uint64_t packets;
    double softirq;
    std::vector<uint32_t> rps;
    std::vector<std::string> found;
  } cases[] = {
      {"10,000 a second", 100'000, 0.05, {}, {"single_queue_without_rps"}},
      {"less", 99'999, 0.05, {}, {}},
      {"less on a hot CPU", 50'000, 0.5, {}, {"single_queue_without_rps"}},
      {"RPS is on", 1'000'000, 0.5, {1, 2, 3}, {}},
  };
  for (const auto& c : cases) {
    HostBuilder host(4);
    Nic& nic = host.nic("eth0", 1);
    HostBuilder::receive(nic, {c.packets});
    rps(nic, c.rps);
    host.softirq(0, c.softirq, c.packets);
    EXPECT_EQ(ids(diagnose(host)), c.found) << c.what;
  }
}

TEST(SteeringRules, RpsMaskIsOfTheNodeWithoutTheInterruptsCpu) {
  HostBuilder host(40);
  for (auto& cpu : host.state.cpus) cpu.numa_node = cpu.id < 36 ? 0 : 1;
  Nic& nic = host.nic("eth0", 1);
  nic.numa_node = 0;
  host.serve(nic, {1});
  EXPECT_THAT(find(diagnose(host), "single_queue_without_rps")->remedy,
              ElementsAre("echo f,fffffffd > /sys/class/net/eth0/queues/rx-0/rps_cpus"));
}

TEST(SteeringRules, SingleQueueWithUnreadableMaskIsUnknown) {
  HostBuilder host(4);
  host.nic("eth0", 1).rx_queues[0].rps_cpus.reset();
  const Diagnosis diagnosis = diagnose(host);
  EXPECT_THAT(ids(diagnosis), IsEmpty());
  EXPECT_EQ(check(diagnosis, "single_queue_without_rps")->outcome, Check::Outcome::unknown);
  EXPECT_EQ(check(diagnosis, "rps_mask_wrong")->outcome, Check::Outcome::unknown);
}

TEST(SteeringRules, RpsOverRss) {
  const struct {
    const char* what;
    uint32_t cpus, queues;
    std::vector<uint32_t> rps;
    uint64_t flows;
    std::vector<std::string> found;
  } cases[] = {
      {"a queue for each CPU", 4, 4, {0, 1, 2, 3}, 0, {"rps_fights_rss"}},
      {"off", 4, 4, {}, 0, {}},
      {"more CPUs than queues", 8, 4, {0, 1, 2, 3, 4, 5, 6, 7}, 0, {}},
      {"more CPUs, and RPS stays on those of queues", 8, 4, {0, 1, 2, 3}, 0, {"rps_fights_rss"}},
      {"RFS follows readers", 4, 4, {0, 1, 2, 3}, 4096, {}},
  };
  for (const auto& c : cases) {
    HostBuilder host(c.cpus);
    Nic& nic = host.nic("eth0", c.queues);
    rps(nic, c.rps);
    host.state.settings.rps_sock_flow_entries = c.flows * c.queues;
    for (auto& queue : nic.rx_queues) queue.rps_flow_cnt = c.flows;
    EXPECT_EQ(ids(diagnose(host)), c.found) << c.what;
  }
}

TEST(SteeringRules, RpsOverRssIsSwitchedOffByQueue) {
  HostBuilder host(2);
  rps(host.nic("eth0", 2), {0, 1});
  host.state.cpus[0].softnet->received_rps = 400'000;
  const Diagnosis diagnosis = diagnose(host);
  const Finding* found = find(diagnosis, "rps_fights_rss");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->remedy, ElementsAre("echo 0 > /sys/class/net/eth0/queues/rx-0/rps_cpus",
                                         "echo 0 > /sys/class/net/eth0/queues/rx-1/rps_cpus"));
  EXPECT_THAT(words(*found), HasSubstr("wake-ups of a CPU by RPS 40000"));
}

TEST(SteeringRules, MaskWithOfflineCpus) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 1);
  rps(nic, {2, 3, 4, 5});
  const Diagnosis diagnosis = diagnose(host);
  EXPECT_THAT(ids(diagnosis), ElementsAre("rps_mask_wrong"));
  EXPECT_THAT(diagnosis.findings[0].condition, HasSubstr("CPU 4-5, which is offline"));
  EXPECT_THAT(diagnosis.findings[0].remedy, ElementsAre("echo c > /sys/class/net/eth0/queues/rx-0/rps_cpus"));
}

TEST(SteeringRules, MaskOfTheInterruptsOwnCpu) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 1);
  host.serve(nic, {2});
  rps(nic, {2});
  const Diagnosis diagnosis = diagnose(host);
  EXPECT_THAT(ids(diagnosis), ElementsAre("rps_mask_wrong"));
  EXPECT_THAT(diagnosis.findings[0].remedy, ElementsAre("echo b > /sys/class/net/eth0/queues/rx-0/rps_cpus"));
  rps(nic, {1});
  EXPECT_THAT(ids(diagnose(host)), IsEmpty());
}

TEST(SteeringRules, HalfOfRfs) {
  const struct {
    const char* what;
    std::optional<uint64_t> host;
    std::optional<uint64_t> queue;
    const char* subject;  // of the finding
    const char* remedy;
    Check::Outcome outcome;
  } cases[] = {
      {"off", 0, 0, nullptr, "", Check::Outcome::fine},
      {"on", 32768, 8192, nullptr, "", Check::Outcome::fine},
      {"no table of the host", 0, 4096, "eth0", "rps_sock_flow_entries=16384", Check::Outcome::found},
      {"no table of queues", 32768, 0, "host", "echo 8192 > /sys/class/net/eth0/queues/rx-3/rps_flow_cnt",
       Check::Outcome::found},
      {"host not known", std::nullopt, 4096, nullptr, "", Check::Outcome::unknown},
      {"queues not known", 32768, std::nullopt, nullptr, "", Check::Outcome::unknown},
  };
  for (const auto& c : cases) {
    HostBuilder host(4);
    Nic& nic = host.nic("eth0", 4);
    host.state.settings.rps_sock_flow_entries = c.host;
    for (auto& queue : nic.rx_queues) queue.rps_flow_cnt = c.queue;
    const Diagnosis diagnosis = diagnose(host);
    EXPECT_EQ(check(diagnosis, "rfs_half_configured")->outcome, c.outcome) << c.what;
    const Finding* found = find(diagnosis, "rfs_half_configured");
    ASSERT_EQ(found != nullptr, c.subject != nullptr) << c.what;
    if (!found) continue;
    EXPECT_EQ(found->subject, c.subject);
    EXPECT_TRUE(has_remedy(found, c.remedy)) << c.what;
  }
}

TEST(SteeringRules, Xps) {
  using Masks = std::vector<std::vector<uint32_t>>;
  const struct {
    const char* what;
    Masks masks;
    uint64_t sent;
    Check::Outcome outcome;
  } cases[] = {
      {"off", {{}, {}, {}, {}}, 1'000'000, Check::Outcome::fine},
      {"one each", {{0}, {1}, {2}, {3}}, 1'000'000, Check::Outcome::fine},
      {"some CPUs choose by hash", {{0}, {1}, {}, {}}, 1'000'000, Check::Outcome::fine},
      {"all through one", {{}, {0, 1, 2, 3}, {}, {}}, 1'000'000, Check::Outcome::found},
      {"offline", {{0}, {1}, {2, 3}, {7}}, 1'000'000, Check::Outcome::found},
      {"one of two is offline", {{0}, {1}, {2}, {3, 7}}, 1'000'000, Check::Outcome::fine},
      {"sends nothing", {{}, {0, 1, 2, 3}, {}, {}}, 10, Check::Outcome::unknown},
  };
  for (const auto& c : cases) {
    HostBuilder host(4);
    Nic& nic = host.nic("eth0", 4);
    nic.link.tx_packets = c.sent;
    for (size_t i = 0; i < c.masks.size(); ++i) nic.tx_queues[i].xps_cpus = CpuSet{c.masks[i]};
    const Diagnosis diagnosis = diagnose(host);
    EXPECT_EQ(check(diagnosis, "xps_wrong")->outcome, c.outcome) << c.what;
    if (c.outcome == Check::Outcome::found) {
      EXPECT_TRUE(
          has_remedy(find(diagnosis, "xps_wrong"), "echo 4 > /sys/class/net/eth0/queues/tx-2/xps_cpus"));
    }
  }
}

TEST(SteeringRules, XpsOfASingleQueueIsNone) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 1);
  rps(nic, {1, 2, 3});
  nic.tx_queues[0].xps_cpus.reset();
  EXPECT_EQ(check(diagnose(host), "xps_wrong")->outcome, Check::Outcome::fine);
}

}  // namespace
}  // namespace nettoll
