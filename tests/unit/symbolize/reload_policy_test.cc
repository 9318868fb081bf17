// SPDX-License-Identifier: Apache-2.0
#include "symbolize/reload_policy.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

TEST(ReloadPolicy, LetsTheFirstMissThroughAndThenWaits) {
  ReloadPolicy policy;
  EXPECT_TRUE(policy.may_reload_for_miss(0));
  policy.reloaded(100 * kSecond, true);
  EXPECT_FALSE(policy.may_reload_for_miss(104 * kSecond));
  EXPECT_FALSE(policy.may_reload_for_change(104 * kSecond));
  EXPECT_TRUE(policy.may_reload_for_miss(105 * kSecond));
  EXPECT_TRUE(policy.may_reload_for_change(105 * kSecond));
}

TEST(ReloadPolicy, WaitsLongerAfterEachReloadInVain) {
  ReloadPolicy policy;
  uint64_t now = 100 * kSecond;
  for (const uint64_t wait : {10, 20, 40, 80, 160, 320, 640, 640, 640}) {
    policy.reloaded(now, false);
    EXPECT_FALSE(policy.may_reload_for_miss(now + wait * kSecond - 1)) << wait;
    EXPECT_TRUE(policy.may_reload_for_miss(now + wait * kSecond)) << wait;
    // A known change is not held up.
    EXPECT_TRUE(policy.may_reload_for_change(now + 5 * kSecond)) << wait;
    now += wait * kSecond;
  }
  policy.reloaded(now, true);
  EXPECT_TRUE(policy.may_reload_for_miss(now + 5 * kSecond));
}

}  // namespace
}  // namespace nettoll
