// SPDX-License-Identifier: Apache-2.0
#include "model/ratios.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

std::vector<Event> events(std::initializer_list<const char*> names) {
  std::vector<Event> list;
  for (const char* name : names) {
    list.emplace_back();
    list.back().name = name;
  }
  return list;
}

TEST(RolesOf, FindsEventsByName) {
  const auto roles = roles_of(events(
      {"cpu-clock", "cpu-cycles", "instructions:k", "cache-misses", "L1-dcache-load-misses:k", "r01c4"}));
  EXPECT_EQ(roles.cpu_clock, 0u);
  EXPECT_EQ(roles.cycles, 1u);
  EXPECT_EQ(roles.instructions, 2u);
  EXPECT_EQ(roles.misses, (std::vector<uint32_t>{3, 4}));

  const auto none = roles_of(events({"r01c4"}));
  EXPECT_FALSE(none.cycles || none.instructions || none.cpu_clock);
  EXPECT_TRUE(none.misses.empty());
}

TEST(RolesOf, EventsOfOnePmuBelongTogether) {
  const auto roles = roles_of(
      events({"cpu_atom/instructions/", "cpu_core/cycles/k", "cpu_atom/cycles/k", "cpu_core/instructions/k",
              "cpu_core/cache-misses/k", "cpu_atom/cache-misses/k", "cpu-clock:u"}));
  EXPECT_EQ(roles.cycles, 1u);
  EXPECT_EQ(roles.instructions, 3u);
  EXPECT_EQ(roles.misses, (std::vector<uint32_t>{4}));
  EXPECT_EQ(roles.cpu_clock, 6u);
  // Instructions of other CPUs than the cycles' are none of theirs.
  EXPECT_FALSE(roles_of(events({"cpu_core/cycles/", "cpu_atom/instructions/"})).instructions);
}

TEST(RatioOf, CombinesErrorsByRootOfSumOfSquares) {
  const auto ratio = ratio_of(Estimate{300, 100}, Estimate{200, 400});
  ASSERT_TRUE(ratio);
  EXPECT_DOUBLE_EQ(ratio->value, 1.5);
  EXPECT_NEAR(ratio->relative_error, 0.111803, 1e-6);  // sqrt(0.1^2 + 0.05^2)
  EXPECT_FALSE(ratio->too_few);
  EXPECT_TRUE(ratio_of(Estimate{300, 15}, Estimate{200, 400})->too_few);
}

TEST(RatioOf, NothingWithoutBothSides) {
  EXPECT_FALSE(ratio_of(Estimate{0, 0}, Estimate{200, 400}));
  EXPECT_FALSE(ratio_of(Estimate{1, 1}, Estimate{0, 0}));
  EXPECT_FALSE(ratio_of(Estimate{1, 1}, Estimate{0, 5}));
  EXPECT_FALSE(ratio_of(Estimate{1, 1}, 0.0));
  EXPECT_FALSE(ratio_of(Estimate{}, 10.0));
  EXPECT_DOUBLE_EQ(ratio_of(Estimate{5, 25}, 20.0)->value, 0.25);
  EXPECT_DOUBLE_EQ(ratio_of(Estimate{5, 25}, 20.0)->relative_error, 0.2);
}

TEST(Derived, IpcAndMissesPerThousandInstructions) {
  const auto roles = roles_of(events({"cycles", "instructions", "cache-misses"}));
  const std::vector<Estimate> cost{{4000, 400}, {2000, 400}, {10, 100}};
  EXPECT_DOUBLE_EQ(instructions_per_cycle(roles, cost)->value, 0.5);
  EXPECT_DOUBLE_EQ(per_thousand_instructions(roles, cost, 2)->value, 5);
  EXPECT_NEAR(per_thousand_instructions(roles, cost, 2)->relative_error, 0.111803, 1e-6);

  const auto cycles_alone = roles_of(events({"cycles", "cache-misses"}));
  EXPECT_FALSE(instructions_per_cycle(cycles_alone, std::vector<Estimate>{{1, 1}, {1, 1}}));
  EXPECT_FALSE(per_thousand_instructions(cycles_alone, std::vector<Estimate>{{1, 1}, {1, 1}}, 1));
  EXPECT_FALSE(instructions_per_cycle(roles, {}));
}

TEST(Derived, SharesOfAllAndOfNetworkTime) {
  CostTable cost;
  cost.events = {{0, 1000, 100, 0, 1.0, 0.0, 0}};
  cost.paths = {
      {Path::rx, {}, {}, {{300, 30}}}, {Path::send, {}, {}, {{100, 10}}}, {Path::idle, {}, {}, {{600, 60}}}};
  EXPECT_EQ(network_total(cost, 0), (Estimate{400, 40}));
  EXPECT_DOUBLE_EQ(share_of_all(cost, 0, {100, 25})->value, 0.1);
  EXPECT_DOUBLE_EQ(share_of_all(cost, 0, {100, 25})->relative_error, 0.2);  // the total is exact
  EXPECT_DOUBLE_EQ(share_of_network(cost, 0, {100, 10})->value, 0.25);
  EXPECT_FALSE(share_of_all(cost, 1, {100, 10}));
  EXPECT_FALSE(share_of_network(CostTable{}, 0, {100, 10}));
}

}  // namespace
}  // namespace nettoll
