// SPDX-License-Identifier: Apache-2.0
#include "collect/slice_turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<uint32_t> kNumbers{2, 3, 5, 7, 11};

TEST(SliceTurns, AreOfAllWhereAllFit) {
  SliceTurns turns;
  EXPECT_THAT(turns.next(kNumbers, 1s), ElementsAre(2, 3, 5, 7, 11)) << "nothing is known yet";
  turns.took(5, 5ms);
  EXPECT_THAT(turns.next(kNumbers, 5ms), ElementsAre(2, 3, 5, 7, 11));
  EXPECT_THAT(turns.next(kNumbers, 1s), ElementsAre(2, 3, 5, 7, 11));
}

TEST(SliceTurns, GoRoundWithAsManyAsFit) {
  SliceTurns turns;
  turns.took(5, 500ms);
  EXPECT_THAT(turns.next(kNumbers, 250ms), ElementsAre(2, 3));
  EXPECT_THAT(turns.next(kNumbers, 299ms), ElementsAre(5, 7));
  EXPECT_THAT(turns.next(kNumbers, 250ms), ElementsAre(2, 11));
  turns.took(2, 50ms);  // quicker than before
  EXPECT_THAT(turns.next(kNumbers, 100ms), ElementsAre(3, 5, 7, 11));
}

TEST(SliceTurns, HaveAtLeastOne) {
  SliceTurns turns;
  turns.took(1, 10s);
  EXPECT_THAT(turns.next(kNumbers, 1s), ElementsAre(2));
  EXPECT_THAT(turns.next(kNumbers, 0s), ElementsAre(3));
  turns.took(0, 1h);  // of nothing: tells nothing
  EXPECT_THAT(turns.next(kNumbers, 20s), ElementsAre(5, 7));
  EXPECT_THAT(turns.next({}, 1s), IsEmpty());
}

TEST(SliceTurns, GoOnWhereFunctionsCameOrWent) {
  SliceTurns turns;
  turns.took(1, 1s);
  EXPECT_THAT(turns.next(kNumbers, 3s), ElementsAre(2, 3, 5));
  EXPECT_THAT(turns.next({2, 3, 4, 6, 11}, 1s), ElementsAre(6));
  EXPECT_THAT(turns.next({2, 3}, 1s), ElementsAre(2)) << "all behind the last turn are gone";
}

TEST(SliceRoom, IsAQuarter) {
  EXPECT_EQ(slice_room(5s), 1250ms);
}

}  // namespace
}  // namespace nettoll
