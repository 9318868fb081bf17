// SPDX-License-Identifier: Apache-2.0
#include "collect/throttle_clock.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(ThrottleClock, CountsFromThrottleToUnthrottle) {
  ThrottleClock clock;
  EXPECT_EQ(clock.throttled_ns(1000), 0u);
  clock.throttle(1000);
  clock.sample(1001);  // of the same interrupt
  EXPECT_EQ(clock.throttled_ns(1500), 500u);
  EXPECT_EQ(clock.throttled_ns(900), 0u);  // read before its record came
  clock.unthrottle(3000);
  EXPECT_EQ(clock.throttled_ns(9000), 2000u);
  clock.throttle(9000);
  clock.unthrottle(9100);
  EXPECT_EQ(clock.throttled_ns(9999), 2100u);
}

TEST(ThrottleClock, ALostUnthrottleDoesNotLastForEver) {
  ThrottleClock clock;
  clock.throttle(1000);
  clock.sample(1001);
  clock.sample(5000);  // so it runs
  EXPECT_EQ(clock.throttled_ns(1'000'000), 4000u);
  clock.sample(6000);
  clock.unthrottle(7000);
  EXPECT_EQ(clock.throttled_ns(1'000'000), 4000u);
}

TEST(ThrottleClock, WhatIsLostBetweenTwoThrottlesIsNotGuessed) {
  ThrottleClock clock;
  clock.throttle(1000);
  clock.throttle(5000);  // it ran in between, nobody knows from when on
  clock.unthrottle(5500);
  EXPECT_EQ(clock.throttled_ns(9000), 500u);
  ThrottleClock never;
  never.unthrottle(5000);  // was throttled before we came
  EXPECT_EQ(never.throttled_ns(9000), 0u);
}

}  // namespace
}  // namespace nettoll
