// SPDX-License-Identifier: Apache-2.0
#include "model/append_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;

ProfileBuilder window(const std::string& leaf, uint32_t samples, uint64_t drops) {
  ProfileBuilder builder({"cpu-clock"}, 1);
  builder.sample(0, 0, {leaf, "ip_rcv", "net_rx_action"}, samples, samples * 10);
  builder.count(0, 0, samples * 10);
  builder.counted("ip_rcv", 100);
  builder.profile.packets = {{Path::rx, 0, 50, 60}};
  builder.profile.drops = {{"NO_SOCKET", "core", leaf, kVmlinux, "ipv4", "eth0", 1, drops}};
  return builder;
}

TEST(AppendWindow, CostsAreThoseOfBothWindows) {
  Profile sum = window("udp_rcv", 20, 3).profile;
  ASSERT_TRUE(append_window(sum, window("tcp_v4_rcv", 30, 4).profile));
  EXPECT_EQ(sum.duration_ns, 2'000'000'000u);
  const CostTable cost = correlate(sum);
  ASSERT_EQ(cost.functions.size(), 4u);
  for (const auto& function : cost.functions) {
    const double self = function.symbol.name == "udp_rcv"      ? 200
                        : function.symbol.name == "tcp_v4_rcv" ? 300
                                                               : 0;
    EXPECT_DOUBLE_EQ(function.self(0).value, self) << function.symbol.name;
    if (function.symbol.name != "ip_rcv") continue;
    EXPECT_DOUBLE_EQ(function.inclusive(0).value, 500);
    EXPECT_EQ(function.inclusive(0).samples, 50u);
    EXPECT_EQ(function.calls, 200u);
  }
  ASSERT_TRUE(cost.path(Path::rx));
  EXPECT_EQ(cost.path(Path::rx)->packets, 100u);
  EXPECT_EQ(cost.path(Path::rx)->segments, 120u);
}

TEST(AppendWindow, DropsOfOneKindAreOneRow) {
  Profile sum = window("udp_rcv", 20, 3).profile;
  ASSERT_TRUE(append_window(sum, window("udp_rcv", 20, 4).profile));
  ASSERT_TRUE(append_window(sum, window("tcp_v4_rcv", 20, 5).profile));
  ASSERT_EQ(sum.drops.size(), 2u);
  EXPECT_EQ(sum.drops[0].packets, 7u);
  EXPECT_EQ(sum.drops[1].packets, 5u);
}

TEST(AppendWindow, RefusesWindowsOfOtherSessions) {
  Profile sum = window("udp_rcv", 20, 3).profile;
  const Profile before = sum;
  Profile next = before;
  next.session.functions[0].condition = "counted in a part of the window alone";
  EXPECT_FALSE(append_window(sum, next));
  EXPECT_EQ(sum, before);
}

}  // namespace
}  // namespace nettoll
