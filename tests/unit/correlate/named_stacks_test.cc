// SPDX-License-Identifier: Apache-2.0
#include "correlate/named_stacks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"
#include "model/names.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// "event value samples path outermost;...;innermost", in the table's order.
std::vector<std::string> rows_of(const Profile& profile, const NamedStacks& costs) {
  std::vector<std::string> rows;
  for (const NamedStackCost& row : costs.costs) {
    std::string stack;
    for (const uint32_t symbol : costs.stacks[row.stack])
      stack += (stack.empty() ? "" : ";") + costs.symbols[symbol].name;
    rows.push_back(fmt::format("{} {} {} {} {}", profile.session.events[row.event].name, row.cost.value,
                               row.cost.samples, name_of(costs.paths[row.stack]), stack));
  }
  return rows;
}

TEST(NamedStacks, WeighsAsTheJoinDoes) {
  ProfileBuilder builder({"cycles"}, 2);
  // CPU 0: 300 counted while it ran half of the time, so 600 over periods of 30. CPU 1: 100 over 10.
  builder.count(0, 0, 300, 1000, 500).count(0, 1, 100);
  builder.sample(0, 0, {"b", "a"}, 2, 20).sample(0, 0, {"a"}, 1, 10).sample(0, 1, {"b", "a"}, 1, 10);
  const NamedStacks costs = named_stacks(builder.profile);
  EXPECT_THAT(rows_of(builder.profile, costs), ElementsAre("cycles 200 1 other a", "cycles 500 3 other a;b"));
  EXPECT_THAT(costs.unattributed, ElementsAre(0));
}

TEST(NamedStacks, EqualStacksAreOne) {
  ProfileBuilder builder({"cycles", "instructions"}, 2);
  // Two symbols of the same name and module are one function.
  builder.profile.symbols = {{"f", kVmlinux}, {"f", kVmlinux}, {"e", "veth"}};
  for (uint32_t leaf : {0u, 1u}) {
    const uint32_t frames[] = {leaf, 2};
    builder.profile.samples.push_back({0, leaf, builder.profile.stacks.add(frames), 1, 7});
  }
  builder.profile.samples.push_back({1, 0, 0, 1, 5});
  EXPECT_THAT(rows_of(builder.profile, named_stacks(builder.profile)),
              ElementsAre("cycles 14 2 other e;f", "instructions 5 1 other e;f"));
}

TEST(NamedStacks, WhatIsInNoStackIsSaid) {
  ProfileBuilder builder({"cycles"}, 3);
  builder.count(0, 0, 100).count(0, 1, 40).count(0, 2, 30);
  builder.sample(0, 0, {"a"}, 1, 10).sample(0, 1, {}, 1, 10);
  const NamedStacks costs = named_stacks(builder.profile);
  EXPECT_THAT(rows_of(builder.profile, costs), ElementsAre("cycles 100 1 other a"));
  EXPECT_THAT(costs.unattributed, ElementsAre(70));
  EXPECT_EQ(correlate(builder.profile).events[0].count, 170);
}

TEST(NamedStacks, OwnCodeHasNoCaller) {
  ProfileBuilder builder({"cycles"}, 1);
  builder.sample(0, 0, {"htab_lookup", kOwnCostName, "net_rx_action"}, 1, 10);
  EXPECT_THAT(rows_of(builder.profile, named_stacks(builder.profile)),
              ElementsAre("cycles 10 1 own nettoll (own cost)"));
}

TEST(NamedStacks, SaysWherePathsBegin) {
  ProfileBuilder builder({"cycles"}, 1);
  builder.sample(0, 0, {"memcpy", "net_rx_action", "do_idle"}, 1, 10);
  const NamedStacks costs = named_stacks(builder.profile);
  EXPECT_THAT(rows_of(builder.profile, costs), ElementsAre("cycles 10 1 rx do_idle;net_rx_action;memcpy"));
  EXPECT_THAT(costs.begins, ElementsAre(Path::idle, std::nullopt, Path::rx));
}

TEST(NamedStacks, AnEmptyProfileHasNone) {
  const NamedStacks costs = named_stacks(Profile{});
  EXPECT_THAT(costs.costs, IsEmpty());
  EXPECT_THAT(costs.symbols, IsEmpty());
}

}  // namespace
}  // namespace nettoll
