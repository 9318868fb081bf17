// SPDX-License-Identifier: Apache-2.0
// The hot spot itself: every rule is walked by every packet, no packet is lost to it, and it can be taken
// away.
#include "live/hot_spot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "live/kernel_counters.h"
#include "live/traffic.h"

namespace nettoll::live {
namespace {

class HotSpotOfKind : public ::testing::TestWithParam<HotSpotKind> {};

TEST_P(HotSpotOfKind, CostsEveryPacketAndDropsNone) {
  if (const std::string missing = missing_for_netns(); !missing.empty()) GTEST_SKIP() << missing;
  auto pair = VethPair::create();
  ASSERT_TRUE(pair) << pair.error().text();
  auto spot = HotSpot::add(pair->b.ns, GetParam(), 2000);
  if (!spot) GTEST_SKIP() << spot.error().text();

  const auto quickest = [&] {
    std::chrono::nanoseconds least = std::chrono::nanoseconds::max();
    for (int run = 0; run < 3; ++run) {
      const auto sent = send_udp(pair->a, pair->b, {.packets = 20'000, .open = 20'000});
      if (!sent) throw std::runtime_error(sent.error().text());
      EXPECT_EQ(sent->received, 20'000u);
      least = std::min(least, sent->elapsed);
    }
    return least;
  };
  const auto loaded = quickest();
  ASSERT_TRUE(spot->remove());
  // 2,000 rules make a packet more than five times as dear; the quickest of three runs, so that a busy
  // machine does not decide.
  EXPECT_GT(loaded, 2 * quickest());
}

INSTANTIATE_TEST_SUITE_P(Kinds, HotSpotOfKind,
                         ::testing::Values(HotSpotKind::iptables, HotSpotKind::nftables),
                         [](const auto& kind) {
                           return kind.param == HotSpotKind::iptables ? "iptables" : "nftables";
                         });

}  // namespace
}  // namespace nettoll::live
