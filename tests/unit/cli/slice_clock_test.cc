// SPDX-License-Identifier: Apache-2.0
#include "cli/slice_clock.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

using namespace std::chrono_literals;
using Step = SliceClock::Step;

const SliceClock::Clock::time_point kStart{1000s};

TEST(SliceClock, DoesNothingBeforeAnIntervalBegan) {
  SliceClock clock;
  EXPECT_EQ(clock.step(kStart + 1h), Step::none);
}

TEST(SliceClock, HasOneSliceInEachInterval) {
  SliceClock clock;
  auto now = kStart;
  for (int interval = 0; interval < 50; ++interval, now += 5s) {
    clock.begin_interval(now, 5s);
    const auto begin = clock.next();
    ASSERT_GE(begin, now);
    ASSERT_LE(begin, now + 4750ms);
    if (begin > now) {
      EXPECT_EQ(clock.step(begin - 1ns), Step::none);
    }
    EXPECT_EQ(clock.step(begin), Step::begin);
    clock.begun(begin + 20ms);  // after attaching
    EXPECT_EQ(clock.next(), begin + 270ms);
    EXPECT_EQ(clock.step(begin + 269ms), Step::none);
    EXPECT_EQ(clock.step(begin + 271ms), Step::end);
    EXPECT_EQ(clock.step(now + 5s), Step::none);
  }
}

TEST(SliceClock, AnOpenSliceOutlivesItsInterval) {
  SliceClock clock;
  clock.begin_interval(kStart, 5s);
  const auto begin = clock.next();
  ASSERT_EQ(clock.step(begin), Step::begin);
  clock.begun(begin + 10s);
  clock.begin_interval(kStart + 5s, 5s);
  EXPECT_EQ(clock.step(begin + 10s), Step::none);
  EXPECT_EQ(clock.step(begin + 10s + 250ms), Step::end);
  clock.begin_interval(kStart + 20s, 5s);
  EXPECT_EQ(clock.step(clock.next()), Step::begin);
}

}  // namespace
}  // namespace nettoll
