// SPDX-License-Identifier: Apache-2.0
#include "cli/counter_watch.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

constexpr uint64_t kWindow = 1'000'000'000;

/// One row for each (event, CPU): how long it ran of a window of a second.
Profile window(const std::vector<std::vector<uint64_t>>& running_ns) {
  Profile profile;
  profile.duration_ns = kWindow;
  for (uint32_t event = 0; event < running_ns.size(); ++event) {
    profile.session.events.push_back({});
    profile.session.events.back().name = event == 0 ? "cycles" : "cpu-clock";
    for (uint32_t cpu = 0; cpu < running_ns[event].size(); ++cpu)
      profile.counts.push_back({event, cpu, 1, kWindow, running_ns[event][cpu], std::nullopt});
  }
  return profile;
}

TEST(CounterWatch, SaysNothingOfEventsThatRunOrTakeTurns) {
  CounterWatch watch;
  EXPECT_TRUE(watch.judge(window({{kWindow, kWindow}, {kWindow, kWindow}})).empty());
  EXPECT_TRUE(watch.judge(window({{kWindow / 20, 1}, {kWindow, kWindow}})).empty());
}

TEST(CounterWatch, TellsOnceOfEachLossAndOfTheReturn) {
  CounterWatch watch;
  watch.judge(window({{kWindow, kWindow}, {kWindow, kWindow}}));
  auto notices = watch.judge(window({{kWindow, 0}, {kWindow, kWindow}}));
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_TRUE(notices[0].lost);
  EXPECT_TRUE(notices[0].text.starts_with("cycles had no hardware counter on CPUs 1: ")) << notices[0].text;
  EXPECT_TRUE(watch.judge(window({{kWindow, 0}, {kWindow, kWindow}})).empty());
  notices = watch.judge(window({{0, 0}, {kWindow, kWindow}}));
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_TRUE(notices[0].lost);
  EXPECT_TRUE(notices[0].text.starts_with("cycles had no hardware counter on CPUs 0-1: ")) << notices[0].text;
  notices = watch.judge(window({{0, 1}, {kWindow, kWindow}}));
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_FALSE(notices[0].lost);
  notices = watch.judge(window({{1, 1}, {kWindow, kWindow}}));
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_FALSE(notices[0].lost);
  EXPECT_EQ(notices[0].text, "cycles has its hardware counters again");
}

TEST(CounterWatch, ShortWindowsTellTogether) {
  CounterWatch watch;
  Profile turn = window({{kWindow}}), wait = window({{0}});
  turn.duration_ns = wait.duration_ns = kWindow / 100;
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(watch.judge(i % 20 == 0 ? turn : wait).empty()) << i;
  size_t notices = 0;
  for (int i = 0; i < 200; ++i) notices += watch.judge(wait).size();
  EXPECT_EQ(notices, 1U);
}

TEST(CounterWatch, TellsOfOneThatNeverHadACounter) {
  CounterWatch watch;
  const auto notices = watch.judge(window({{0}}));
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_TRUE(notices[0].lost);
}

TEST(CounterWatch, ACpuThatIsOfflineLacksNothing) {
  CounterWatch watch;
  Profile profile = window({{kWindow, 0}});
  profile.counts[1].enabled_ns = 0;
  EXPECT_TRUE(watch.judge(profile).empty());
}

}  // namespace
}  // namespace nettoll
