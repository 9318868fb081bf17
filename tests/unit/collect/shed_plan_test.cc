// SPDX-License-Identifier: Apache-2.0
#include "collect/shed_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace nettoll {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr ShedLimits kLimits{0.01, 3};

/// A host whose load follows its packets and what is shed.
struct Host {
  double user = 0.001;
  double sampling = 0.002;                  ///< at the full rate
  double net_path_a_packet = 0;             ///< share at one packet a second
  std::vector<double> hooks_a_packet = {};  ///< likewise, by row
  double packets = 0;                       ///< a second
  Shedding state = {};
  uint32_t changes = 0;

  /// The rows, in the order in which they went.
  std::vector<uint32_t> shed() const {
    std::vector<uint32_t> rows;
    for (const ShedHooks& hooks : state.hooks) rows.insert(rows.end(), hooks.rows.begin(), hooks.rows.end());
    return rows;
  }
  OwnLoad load() const {
    OwnLoad load;
    load.user = user;
    load.sampling = sampling / (1u << state.halvings);
    load.net_path = net_path_a_packet * packets;
    load.packets_per_second = packets;
    const std::vector<uint32_t> gone = shed();
    for (uint32_t row = 0; row < hooks_a_packet.size(); ++row) {
      if (std::ranges::find(gone, row) == gone.end())
        load.hooks.push_back({{row}, hooks_a_packet[row] * packets});
    }
    return load;
  }
  void run(int intervals) {
    for (; intervals > 0; --intervals) {
      const Shedding before = state;
      state = decide_shedding(load(), kLimits, state);
      changes += before.halvings != state.halvings || before.hooks != state.hooks;
    }
  }
};

TEST(ShedPlan, ShedsNothingWithinTheBudget) {
  Host host{.hooks_a_packet = {1e-8}, .packets = 500'000};
  host.run(100);
  EXPECT_TRUE(host.state.full_detail());
  EXPECT_FALSE(host.state.exhausted);
  EXPECT_EQ(host.changes, 0U);
}

TEST(ShedPlan, LowersTheSamplingRateFirst) {
  // 0.001 + 0.010, where 0.009 is the goal: a half of the samples is enough.
  Host host{.sampling = 0.010};
  host.run(1);
  EXPECT_EQ(host.state.halvings, 1U);
  EXPECT_THAT(host.state.hooks, IsEmpty());
}

TEST(ShedPlan, ShedsAsManyHooksAsItTakesTheDearestFirst) {
  // 0.001, 0.002 of samples, hooks of 0.002, 0.008, 0.004: down to 0.00925 with an eighth of the samples
  // and without the second, which the third has to follow for the goal of 0.009.
  Host host{.hooks_a_packet = {2e-8, 8e-8, 4e-8}, .packets = 100'000};
  host.net_path_a_packet = 2e-8;
  host.run(1);
  EXPECT_EQ(host.state.halvings, 3U);
  EXPECT_THAT(host.shed(), ElementsAre(1, 2));
  host.run(1);
  EXPECT_LE(host.load().total(), kLimits.budget);
  EXPECT_FALSE(host.state.exhausted);
}

TEST(ShedPlan, ShedsNoHookThatCostsNothing) {
  Host host{.user = 0.02, .hooks_a_packet = {0, 1e-9}, .packets = 1000};
  host.run(3);
  EXPECT_THAT(host.shed(), ElementsAre(1));
}

TEST(ShedPlan, SaysWhenNothingIsLeftAndWhenThatIsOver) {
  Host host{.user = 0.02, .hooks_a_packet = {1e-8}, .packets = 1000};
  host.run(1);
  EXPECT_FALSE(host.state.exhausted);  // what was shed has to show first
  host.run(2);
  EXPECT_TRUE(host.state.exhausted);
  EXPECT_EQ(host.state.halvings, kLimits.most_halvings);
  host.user = 0.009;
  host.run(1);
  EXPECT_FALSE(host.state.exhausted);
}

TEST(ShedPlan, DoesNotJudgeTheIntervalOfAChange) {
  Host host{.sampling = 0.010};
  host.run(1);
  ASSERT_EQ(host.state.halvings, 1U);
  host.user = 0.05;  // attaching and detaching take time as well
  host.run(1);
  EXPECT_EQ(host.state.halvings, 1U);
  host.run(1);
  EXPECT_EQ(host.state.halvings, 3U);
}

TEST(ShedPlan, TakesAllBackAfterTheLoadIsGone) {
  Host host{.hooks_a_packet = {2e-8, 8e-8, 4e-8}, .packets = 1'000'000};
  host.run(5);
  ASSERT_EQ(host.state.hooks.size(), 3U);
  host.packets = 10;
  host.run(static_cast<int>(kFewestCalm) - 1);
  EXPECT_FALSE(host.state.full_detail());  // not at the first moment of quiet
  host.run(static_cast<int>(kFewestCalm));
  EXPECT_TRUE(host.state.full_detail());
}

TEST(ShedPlan, TakesBackWhatFitsInTheOppositeOrder) {
  Host host{.hooks_a_packet = {2e-8, 8e-8, 4e-8}, .packets = 1'000'000};
  host.run(5);
  ASSERT_THAT(host.shed(), ElementsAre(1, 2, 0));
  // 0.001 and 0.00025 beside 0.002 and 0.004: below 0.0075. With 0.008 more it would not be.
  host.packets = 100'000;
  host.run(20);
  EXPECT_THAT(host.shed(), ElementsAre(1));
  // The order stands: what went first comes last.
  EXPECT_EQ(host.state.halvings, 3U);
}

TEST(ShedPlan, StaysPutUnderASteadyLoad) {
  for (const double packets : {50e3, 70e3, 90e3, 110e3, 200e3, 500e3, 1e6}) {
    Host host{.hooks_a_packet = {2e-8, 3e-8, 1e-8, 4e-8, 2e-8}, .packets = packets};
    host.net_path_a_packet = 5e-9;
    host.run(3);
    const uint32_t changes = host.changes;
    host.run(500);
    EXPECT_EQ(host.changes, changes) << packets;
  }
}

TEST(ShedPlan, AsksAPeakAndNotTheLastInterval) {
  Host host{.hooks_a_packet = {8e-8}, .packets = 200'000};
  host.run(2);
  ASSERT_EQ(host.state.hooks.size(), 1U);
  // A load that comes every third interval.
  for (int i = 0; i < 60; ++i) {
    host.packets = i % 3 == 0 ? 200'000 : 100;
    host.run(1);
  }
  EXPECT_EQ(host.state.hooks.size(), 1U);
  EXPECT_EQ(host.changes, 1U);
}

TEST(ShedPlan, WaitsLongerEachTimeThatWhatCameBackDoesNotStay) {
  // The load falls as soon as the hook is gone, and is there as soon as it is back: flapping, if let.
  Host host{.hooks_a_packet = {8e-8}};
  for (int i = 0; i < 1000; ++i) {
    host.packets = host.state.hooks.empty() ? 200'000 : 100;
    host.run(1);
  }
  EXPECT_EQ(host.state.patience, kMostCalm);
  // 4 + 8 + ... + 128, then once in 128 intervals and a few.
  EXPECT_LT(host.changes, 2 * (6 + (1000 - 252) / 128 + 2));
  // And is over that, once it stays.
  host.packets = 100;
  host.run(3 * static_cast<int>(kMostCalm));
  EXPECT_TRUE(host.state.full_detail());
  EXPECT_EQ(host.state.patience, kFewestCalm);
}

}  // namespace
}  // namespace nettoll
