// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/comm_history.h"
#include "ingest/comm_tally.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;

TEST(CommHistory, AThreadHasTheNameOfItsTime) {
  CommHistory history;
  history.name(20, 7, "later");  // records come in any order
  history.name(5, 7, "first");
  history.settle();
  EXPECT_EQ(history.name_at(7, 4), "");
  EXPECT_EQ(history.name_at(7, 5), "first");
  EXPECT_EQ(history.name_at(7, 19), "first");
  EXPECT_EQ(history.name_at(7, 20), "later");
  EXPECT_EQ(history.name_at(8, 20), "");
}

TEST(CommHistory, AForkHasItsParentsName) {
  CommHistory history;
  history.name(1, 7, "shell");
  history.fork(5, 8, 7);
  history.name(6, 7, "renamed");
  history.name(9, 8, "ls");
  history.fork(5, 10, 9);  // of a parent that nobody named
  history.settle();
  EXPECT_EQ(history.name_at(8, 5), "shell");
  EXPECT_EQ(history.name_at(8, 9), "ls");
  EXPECT_EQ(history.name_at(10, 6), "");
}

TEST(CommHistory, TheIdleTaskIsSwapper) {
  const CommHistory history;
  EXPECT_EQ(history.name_at(0, 5), "swapper");
}

TEST(CommTally, SumsByNameAndEvent) {
  CommTally tally;
  tally.add("a", 0, 10);
  tally.add("b", 0, 1);
  tally.add("a", 1, 5);
  tally.add("a", 0, 10);
  EXPECT_THAT(tally.rows(),
              ElementsAre(CommSamples{"a", 0, 2, 20}, CommSamples{"a", 1, 1, 5}, CommSamples{"b", 0, 1, 1}));
}

TEST(CommTally, NamesWithoutEndGoToOneRow) {
  CommTally tally;
  for (size_t i = 0; i < CommTally::kMostNames + 5; ++i) tally.add("t" + std::to_string(i), 0, 1);
  const auto rows = tally.rows();
  ASSERT_EQ(rows.size(), CommTally::kMostNames + 1);
  EXPECT_EQ(rows.back(), (CommSamples{CommTally::kOthers, 0, 5, 5}));
}

}  // namespace
}  // namespace nettoll
