// SPDX-License-Identifier: Apache-2.0
#include "model/counterless.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

std::vector<Event> events(bool timer = false) {
  std::vector<Event> two(2);
  two[0].timer = timer;
  return two;
}

TEST(Counterless, NamesCpusWhereAnEventNeverRan) {
  const auto rows = without_counters(events(), {{0, 0, 0, 100, 0, std::nullopt},
                                                {0, 1, 5, 100, 1, std::nullopt},
                                                {0, 3, 0, 100, 0, std::nullopt},
                                                {1, 0, 5, 100, 100, std::nullopt}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].event, 0U);
  EXPECT_EQ(rows[0].cpus.ids, (std::vector<uint32_t>{0, 3}));
  EXPECT_EQ(rows[1].event, 1U);
  EXPECT_TRUE(rows[1].cpus.empty());
}

TEST(Counterless, RowsOfOneCpuBelongTogether) {
  const auto rows =
      without_counters(events(), {{0, 0, 0, 100, 0, std::nullopt}, {0, 0, 5, 100, 50, std::nullopt}});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].cpus.empty());
}

TEST(Counterless, ATimerNeedsNone) {
  EXPECT_TRUE(without_counters(events(true), {{0, 0, 0, 100, 0, std::nullopt}}).empty());
}

TEST(Counterless, AnEventThatWasNotEnabledLacksNothing) {
  EXPECT_TRUE(without_counters(events(), {{0, 0, 0, 0, 0, std::nullopt}}).empty());
}

}  // namespace
}  // namespace nettoll
