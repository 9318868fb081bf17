// SPDX-License-Identifier: Apache-2.0
// The hot spot itself: every rule is walked by every packet, no packet is lost to it, and it can be taken
// away.
#include "live/hot_spot.h"

#include <gtest/gtest.h>

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

  const UdpTraffic traffic{.packets = 20'000, .open = 20'000};
  const auto loaded = send_udp(pair->a, pair->b, traffic);
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_EQ(loaded->received, 20'000u);
  ASSERT_TRUE(spot->remove());
  const auto plain = send_udp(pair->a, pair->b, traffic);
  ASSERT_TRUE(plain) << plain.error().text();
  EXPECT_EQ(plain->received, 20'000u);
  // 2,000 rules cost several times a packet; CPU time, so that a busy machine does not decide.
  EXPECT_GT(loaded->cpu_time, 2 * plain->cpu_time);
}

INSTANTIATE_TEST_SUITE_P(Kinds, HotSpotOfKind,
                         ::testing::Values(HotSpotKind::iptables, HotSpotKind::nftables),
                         [](const auto& kind) {
                           return kind.param == HotSpotKind::iptables ? "iptables" : "nftables";
                         });

}  // namespace
}  // namespace nettoll::live
