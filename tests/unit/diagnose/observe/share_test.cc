// SPDX-License-Identifier: Apache-2.0
#include "diagnose/observe/share.h"

#include <gtest/gtest.h>

#include <cmath>

namespace nettoll {
namespace {

SampleSum of(uint64_t samples, double weight) {
  return {static_cast<double>(samples) * weight, static_cast<double>(samples) * weight * weight, samples};
}

TEST(Share, EqualWeightsGiveTheErrorOfAProportion) {
  // p (1 - p) / n = 0.2 * 0.8 / 400 = 0.0004.
  const auto share = share_of(of(80, 3), of(400, 3));
  ASSERT_TRUE(share);
  EXPECT_DOUBLE_EQ(share->part, 0.2);
  EXPECT_NEAR(share->error, 0.02, 1e-12);
  EXPECT_EQ(share->samples, 80u);
  EXPECT_EQ(share->of, 400u);
}

TEST(Share, FewHeavySamplesMakeItLessSure) {
  // 16 samples of weight 10 beside 240 of weight 1: 40%, by sums of squares 1600 and 240 of 400 squared.
  SampleSum whole = of(16, 10);
  whole.add(of(240, 1));
  const auto share = share_of(of(16, 10), whole);
  ASSERT_TRUE(share);
  EXPECT_DOUBLE_EQ(share->part, 0.4);
  EXPECT_NEAR(share->error, std::sqrt(0.36 * 1600 + 0.16 * 240) / 400, 1e-12);
}

TEST(Share, NothingIsNoShare) {
  EXPECT_FALSE(share_of({}, of(400, 1)));
  EXPECT_FALSE(share_of({}, {}));
}

TEST(Share, TheErrorBarMustStayAboveTheLimit) {
  const struct {
    const char* what;
    uint64_t part, whole;
    double from;
    bool surely;
  } cases[] = {
      // 10% of 400: error 1.5%.
      {"two errors below is the limit", 40, 400, 0.07, true},
      {"less than two errors below", 40, 400, 0.071, false},
      {"the share is above, its bar is not", 40, 400, 0.09, false},
      {"15 samples have no error to speak of", 15, 15, 0.5, false},
      {"16 do", 16, 16, 0.5, true},
  };
  for (const auto& c : cases)
    EXPECT_EQ(surely_from(share_of(of(c.part, 1), of(c.whole, 1)), c.from), c.surely) << c.what;
  EXPECT_FALSE(surely_from(std::nullopt, 0));
}

TEST(Share, PercentHasTwoDigitsThatMeanSomething) {
  EXPECT_EQ(percent_text(0.0123), "1.2%");
  EXPECT_EQ(percent_text(0.344), "34%");
  EXPECT_EQ(percent_text(1), "100%");
}

}  // namespace
}  // namespace nettoll
