// SPDX-License-Identifier: Apache-2.0
#include "correlate/stack_costs.h"

#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

TEST(StackCosts, WeightsAreThoseOfTheJoin) {
  ProfileBuilder builder({"cycles", "cache-misses"}, 2);
  builder.sample(0, 0, {"ip_rcv", "net_rx_action"}, 4, 400)
      .sample(0, 1, {"udp_sendmsg"}, 2, 100)
      .sample(1, 0, {"lookup_fast"}, 1, 10);
  builder.count(0, 0, 1200);
  // The same stack on the other CPU, where nothing was counted: there periods stand for themselves.
  StackSamples other = builder.profile.samples[0];
  other.cpu = 1;
  other.samples = 1;
  other.period = 50;
  builder.profile.samples.push_back(other);

  const std::vector<StackCost> rows = stack_costs(builder.profile);
  ASSERT_EQ(rows.size(), 3u);
  // 1200 on CPU 0 and 50 on CPU 1, by 4 samples of 300 and one of 50.
  EXPECT_EQ(rows[0], (StackCost{0, 0, Path::rx, {1250, 5}, 4 * 300.0 * 300 + 50.0 * 50}));
  EXPECT_EQ(rows[1], (StackCost{1, 0, Path::send, {100, 2}, 2 * 50.0 * 50}));
  EXPECT_EQ(rows[2], (StackCost{2, 1, Path::other, {10, 1}, 100}));

  const CostTable costs = correlate(builder.profile);
  EXPECT_EQ(costs.path(Path::rx)->events[0], rows[0].cost);
}

TEST(StackCosts, StacksWithoutFramesAreLeftOut) {
  ProfileBuilder builder({"cycles"}, 1);
  builder.sample(0, 0, {}, 4, 400);
  EXPECT_TRUE(stack_costs(builder.profile).empty());
}

}  // namespace
}  // namespace nettoll
