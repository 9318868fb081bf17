// SPDX-License-Identifier: Apache-2.0
#include "tui/neighbours.h"

#include <gtest/gtest.h>

#include "fakes/profile_builder.h"

namespace nettoll::tui {
namespace {

TEST(Neighbours, AreTheFramesNextToAFunction) {
  ProfileBuilder builder({"cpu-clock", "cycles"}, 1);
  builder.sample(0, 0, {"udp_rcv", "ip_rcv", "net_rx_action"}, 5, 50);
  builder.sample(0, 0, {"ip_rcv", "net_rx_action"}, 2, 20);
  builder.sample(0, 0, {"tcp_v4_rcv", "ip_rcv", "process_backlog"}, 1, 10);
  builder.sample(0, 0, {"do_idle"}, 100, 1000);
  builder.sample(1, 0, {"udp_rcv", "ip_rcv"}, 1000, 1000);
  const Profile& profile = builder.profile;
  const Neighbours found = neighbours_of(profile, {"ip_rcv", kVmlinux}, 0);
  EXPECT_EQ(found.samples, 8u);
  ASSERT_EQ(found.callers.size(), 2u);
  EXPECT_EQ(profile.symbols[found.callers[0].symbol].name, "net_rx_action");
  EXPECT_EQ(found.callers[0].samples, 7u);
  EXPECT_EQ(profile.symbols[found.callers[1].symbol].name, "process_backlog");
  ASSERT_EQ(found.callees.size(), 2u);
  EXPECT_EQ(profile.symbols[found.callees[0].symbol].name, "udp_rcv");
  EXPECT_EQ(found.callees[0].samples, 5u);
}

TEST(Neighbours, TheInnermostOfAFunctionThatCallsItselfCounts) {
  ProfileBuilder builder({"cpu-clock"}, 1);
  builder.sample(0, 0, {"a", "b", "c", "b", "d"}, 3, 30);
  const Neighbours found = neighbours_of(builder.profile, {"b", kVmlinux}, 0);
  EXPECT_EQ(found.samples, 3u);
  ASSERT_EQ(found.callers.size(), 1u);
  EXPECT_EQ(builder.profile.symbols[found.callers[0].symbol].name, "c");
}

TEST(Neighbours, OfAFunctionThatIsNotThere) {
  EXPECT_EQ(neighbours_of({}, {"ip_rcv", kVmlinux}, 0).samples, 0u);
}

}  // namespace
}  // namespace nettoll::tui
