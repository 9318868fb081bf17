// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/diagnose/diagnosed.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Two nodes of four CPUs each.
void two_nodes(HostBuilder& host) {
  for (auto& cpu : host.state.cpus) cpu.numa_node = cpu.id < 4 ? 0 : 1;
}

TEST(AffinityRules, WhereVectorsGo) {
  const struct {
    const char* what;
    std::vector<uint32_t> cpus;
    std::vector<std::string> found;
  } cases[] = {
      {"one each", {0, 1, 2, 3}, {}},
      {"all on one", {2, 2, 2, 2}, {"vectors_on_one_cpu"}},
      {"two on one, one spare", {0, 1, 3, 3}, {"vectors_collide"}},
      {"two pairs", {1, 1, 3, 3}, {"vectors_collide"}},
  };
  for (const auto& c : cases) {
    HostBuilder host(4);
    host.serve(host.nic("eth0", 4), c.cpus);
    EXPECT_EQ(ids(diagnose(host)), c.found) << c.what;
  }
}

TEST(AffinityRules, MoreVectorsThanCpusMustMeet) {
  HostBuilder host(4);
  host.serve(host.nic("eth0", 6), {0, 1, 2, 3, 0, 1});
  EXPECT_THAT(ids(diagnose(host)), IsEmpty());
}

TEST(AffinityRules, QuietVectorsDoNotCollide) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  host.serve(nic, {0, 1, 2, 2});
  HostBuilder::receive(nic, {300'000, 300'000, 300'000, 5'000});
  EXPECT_THAT(ids(diagnose(host)), IsEmpty());
}

TEST(AffinityRules, OneBusyQueueIsNoMatterOfAffinity) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  host.serve(nic, {0, 0, 0, 0});
  HostBuilder::receive(nic, {990'000, 4'000, 3'000, 3'000});
  EXPECT_THAT(ids(diagnose(host)), ElementsAre("one_dominant_flow"));
}

TEST(AffinityRules, RemediesNameInterruptsAndCpus) {
  HostBuilder host(4);
  host.serve(host.nic("eth0", 4), {2, 2, 2, 2});
  host.state.irqbalance = false;
  const Diagnosis diagnosis = diagnose(host);
  const Finding* found = find(diagnosis, "vectors_on_one_cpu");
  ASSERT_TRUE(found);
  EXPECT_THAT(
      found->remedy,
      ElementsAre("echo 0 > /proc/irq/300/smp_affinity_list", "echo 1 > /proc/irq/301/smp_affinity_list",
                  "echo 2 > /proc/irq/302/smp_affinity_list", "echo 3 > /proc/irq/303/smp_affinity_list",
                  "or let irqbalance do it: systemctl start irqbalance"));
  host.state.irqbalance = true;
  EXPECT_THAT(find(diagnose(host), "vectors_on_one_cpu")->explanation, HasSubstr("irqbalance runs"));
}

TEST(AffinityRules, TheBusierVectorStays) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  host.serve(nic, {0, 1, 3, 3});
  HostBuilder::receive(nic, {200'000, 200'000, 250'000, 350'000});
  EXPECT_THAT(find(diagnose(host), "vectors_collide")->remedy,
              ElementsAre("echo 2 > /proc/irq/302/smp_affinity_list"));
}

TEST(AffinityRules, ASpareCpuOfAnotherNodeIsNoReasonToMove) {
  HostBuilder host(8);
  two_nodes(host);
  Nic& nic = host.nic("eth0", 5);
  nic.numa_node = 0;
  host.serve(nic, {0, 1, 2, 3, 0});
  EXPECT_THAT(ids(diagnose(host)), IsEmpty());
}

TEST(AffinityRules, OffNode) {
  const struct {
    const char* what;
    std::vector<uint32_t> cpus;
    std::optional<int> node;
    std::vector<std::string> found;
  } cases[] = {
      {"all far", {4, 5, 6, 7}, 0, {"vectors_off_node"}},
      {"three of four far", {0, 5, 6, 7}, 0, {"vectors_off_node"}},
      {"half, as by default", {0, 1, 4, 5}, 0, {}},
      {"all near", {4, 5, 6, 7}, 1, {}},
      {"node not known", {4, 5, 6, 7}, std::nullopt, {}},
  };
  for (const auto& c : cases) {
    HostBuilder host(8);
    two_nodes(host);
    Nic& nic = host.nic("eth0", 4);
    nic.numa_node = c.node;
    host.serve(nic, c.cpus);
    EXPECT_EQ(ids(diagnose(host)), c.found) << c.what;
  }
}

TEST(AffinityRules, OffNodeMovesOnlyWhatIsFar) {
  HostBuilder host(8);
  two_nodes(host);
  Nic& nic = host.nic("eth0", 4);
  nic.numa_node = 0;
  host.serve(nic, {0, 5, 6, 7});
  const Diagnosis diagnosis = diagnose(host);
  const Finding* found = find(diagnosis, "vectors_off_node");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->remedy.size(), 3u);
  EXPECT_FALSE(has_remedy(found, "/proc/irq/300/"));
}

TEST(AffinityRules, AVectorThatIsMovedAboutServesNoSingleCpu) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 2);
  nic.vectors[0].by_cpu = {25'000, 25'000, 0, 0};
  nic.vectors[1].by_cpu = {25'000, 25'000, 0, 0};
  EXPECT_THAT(ids(diagnose(host)), IsEmpty());
}

TEST(AffinityRules, WithoutInterruptsTheEffectiveAffinityTells) {
  // In NAPI polling a busy queue may raise none for a whole window.
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 4);
  host.serve(nic, {1, 1, 1, 1});
  for (auto& vector : nic.vectors) vector.by_cpu.assign(4, 0);
  EXPECT_THAT(ids(diagnose(host)), ElementsAre("vectors_on_one_cpu"));
}

}  // namespace
}  // namespace nettoll
