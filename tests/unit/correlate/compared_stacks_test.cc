// SPDX-License-Identifier: Apache-2.0
#include "correlate/compared_stacks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "correlate/correlate.h"
#include "correlate/named_stacks.h"
#include "fakes/profile_builder.h"
#include "model/names.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

/// "event cost path outermost;...;innermost", in the table's order.
std::vector<std::string> rows_of(const NamedStacks& costs) {
  std::vector<std::string> rows;
  for (const NamedStackCost& row : costs.costs) {
    std::string stack;
    for (const uint32_t symbol : costs.stacks[row.stack])
      stack += (stack.empty() ? "" : ";") + costs.symbols[symbol].name;
    rows.push_back(
        fmt::format("{} {} {} {}", row.event, row.cost.value, name_of(costs.paths[row.stack]), stack));
  }
  return rows;
}

NamedStacks stacks_of(const std::vector<std::pair<std::vector<std::string>, uint64_t>>& stacks) {
  ProfileBuilder builder({"cycles", "instructions"}, 1);
  for (const auto& [stack, period] : stacks) builder.sample(0, 0, stack, 1, period);
  builder.sample(1, 0, stacks.front().first, 1, 1000);
  return named_stacks(builder.profile);
}

TEST(ComparedStacks, NewNamesKeepTheOrderOfStacks) {
  const auto before = stacks_of({{{"b.isra.0", "a"}, 1}, {{"m", "a"}, 2}, {{"b.isra.0"}, 4}});
  const auto after = renamed(before, {{{"b.isra.0", kVmlinux}, {"z", "mod"}}});
  EXPECT_THAT(rows_of(after),
              ElementsAre("0 2 other a;m", "0 1 other a;z", "1 1000 other a;z", "0 4 other z"));
  EXPECT_TRUE(std::ranges::is_sorted(after.symbols));
  EXPECT_EQ(after.symbols.back(), (Symbol{"z", "mod"}));
  // The same as of a profile that had the names from the start.
  EXPECT_EQ(renamed(before, {{{"b.isra.0", kVmlinux}, {"z", kVmlinux}}}),
            stacks_of({{{"z", "a"}, 1}, {{"m", "a"}, 2}, {{"z"}, 4}}));
}

TEST(ComparedStacks, NewNamesKeepWhatAPathBeginsWith) {
  const auto after =
      renamed(stacks_of({{{"memcpy", "net_rx_action"}, 1}}), {{{"memcpy", kVmlinux}, {"zcpy", "m"}}});
  ASSERT_EQ(after.symbols.size(), 2u);
  EXPECT_EQ(after.begins[0], Path::rx);
  EXPECT_EQ(after.begins[1], std::nullopt);
}

TEST(ComparedStacks, WithoutNewNamesNothingChanges) {
  const auto stacks = stacks_of({{{"b", "a"}, 1}, {{"b"}, 2}});
  EXPECT_EQ(renamed(stacks, {}), stacks);
}

TEST(ComparedStacks, NamesAreThoseOfTheMatch) {
  ProfileBuilder a({"cycles"}, 1), b({"cycles"}, 1);
  a.sample(0, 0, {"same", "f.isra.0", "two.part.0", "old"}, 1, 10);
  b.sample(0, 0, {"same", "f.isra.1", "two.part.1", "two.part.2", "new"}, 1, 10);
  EXPECT_THAT(names_in(correlate(b.profile), correlate(a.profile)),
              ElementsAre(Pair(Symbol{"f.isra.0", kVmlinux}, Symbol{"f.isra.1", kVmlinux})));
  EXPECT_THAT(names_in(correlate(a.profile), correlate(a.profile)), IsEmpty());
}

TEST(ComparedStacks, OfPathsAlone) {
  ProfileBuilder builder({"cycles"}, 2);
  builder.count(0, 0, 60).count(0, 1, 5);
  builder.sample(0, 0, {"memcpy", "net_rx_action"}, 1, 10)
      .sample(0, 0, {"memcpy", "__dev_queue_xmit"}, 1, 20);
  builder.sample(0, 0, {"other"}, 1, 30);
  const auto all = named_stacks(builder.profile);
  ASSERT_THAT(all.unattributed, ElementsAre(5));
  const Path wanted[] = {Path::rx, Path::timer};
  const auto kept = in_paths(all, wanted);
  EXPECT_THAT(rows_of(kept), ElementsAre("0 10 rx net_rx_action;memcpy"));
  EXPECT_THAT(kept.unattributed, ElementsAre(0));
}

}  // namespace
}  // namespace nettoll
