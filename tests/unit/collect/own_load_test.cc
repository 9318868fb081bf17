// SPDX-License-Identifier: Apache-2.0
#include "collect/own_load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collect/run_costs.h"

namespace nettoll {
namespace {

using testing::ElementsAre;

PlanRow row(Method method, FreeCounter free = FreeCounter::none) {
  PlanRow row;
  row.function.method = method;
  row.free = free;
  return row;
}

const std::vector<PlanRow> kRows{row(Method::tracepoint, FreeCounter::rx_packets), row(Method::fentry),
                                 row(Method::samples), row(Method::kprobe_multi), row(Method::kprobe_multi)};

TEST(OwnLoad, CountsTheRunsOfEachProgram) {
  RawBatch batch;
  batch.packets = {{Path::rx, 0, 100, 100}, {Path::tx, 1, 50, 60}};
  batch.napi = {{{}, "backlog", 0, 10, 100, 0}};
  batch.softirqs = {{3, 0, 20, 1000}};
  RawDrops drops;
  drops.packets = 5;
  batch.drops = {drops};
  batch.calls = {{0, {100, 0}, 0}, {1, {40, 2}, 1}, {3, {7, 0}, 0}};
  batch.samples = {{0, 0, 0, 3, 300}, {1, 1, 0, 2, 200}};
  // 150 packets, 10 polls, both ends of 20 softirqs, 5 drops.
  EXPECT_EQ(own_runs(batch, kRows), (OwnRuns{205, {0, 43, 0, 7, 0}, 5, 150}));
}

TEST(OwnLoad, AddsUp) {
  OwnRuns runs{1, {}, 2, 3};
  runs.add({10, {5, 6}, 20, 30});
  runs.add({0, {1}, 0, 0});
  EXPECT_EQ(runs, (OwnRuns{11, {6, 6}, 22, 33}));
}

TEST(OwnLoad, IsAShareOfAllCpus) {
  RunCosts costs;
  costs.hook_ns[static_cast<size_t>(Method::tracepoint)] = 100;
  costs.hook_ns[static_cast<size_t>(Method::fentry)] = 50;
  costs.hook_ns[static_cast<size_t>(Method::kprobe_multi)] = 200;
  costs.sample_ns = 1000;
  // Two seconds of two CPUs: 4e9 ns.
  const OwnLoad load =
      own_load({4'000'000, {0, 800'000, 0, 100'000, 300'000}, 40'000, 1'000'000}, kRows, costs, 4e7, 2e9, 2);
  EXPECT_DOUBLE_EQ(load.user, 0.01);
  EXPECT_DOUBLE_EQ(load.net_path, 0.1);
  EXPECT_DOUBLE_EQ(load.sampling, 0.01);
  EXPECT_DOUBLE_EQ(load.packets_per_second, 500'000);
  // The two of kprobe.multi have one link.
  EXPECT_THAT(load.hooks, ElementsAre(HookLoad{{1}, 0.01}, HookLoad{{3, 4}, 0.02}));
  EXPECT_DOUBLE_EQ(load.programs(), 0.13);
  EXPECT_DOUBLE_EQ(load.total(), 0.15);
}

TEST(OwnLoad, OfNoTimeIsNone) {
  EXPECT_EQ(own_load({5, {}, 5, 5}, kRows, {}, 1e6, 0, 2).total(), 0);
}

TEST(RunCosts, AreTheDifferenceOfTheQuickestBatches) {
  const auto cost = cost_of_run({5200, 5000, 90'000}, {2000, 2100, 50'000}, 100);
  ASSERT_TRUE(cost);
  EXPECT_DOUBLE_EQ(*cost, 30);
}

TEST(RunCosts, AreUnknownWhereNoneIsSeen) {
  EXPECT_FALSE(cost_of_run({2000}, {2000}, 100));
  EXPECT_FALSE(cost_of_run({1900}, {2000}, 100));
  EXPECT_FALSE(cost_of_run({}, {2000}, 100));
  EXPECT_FALSE(cost_of_run({2000}, {1000}, 0));
}

}  // namespace
}  // namespace nettoll
