// SPDX-License-Identifier: Apache-2.0
#include "collect/exact_histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace nettoll {
namespace {

/// What the kernel side keeps of these differences under this own cost.
std::unique_ptr<nt_exact_cell> cell_of(const std::vector<uint64_t>& values, uint64_t own = 0) {
  auto cell = std::make_unique<nt_exact_cell>();
  *cell = {};
  for (const uint64_t value : values) {
    ++cell->n;
    cell->sum += value;
    cell->squares_low += (value * value) & 0xffffffff;
    cell->squares_high += (value * value) >> 32;
    if (value < own) ++cell->below;
    ++cell->bucket[nt_exact_bucket(value > own ? value - own : 0)];
  }
  return cell;
}

ExactSums sums_of(const std::vector<uint64_t>& values, uint64_t own = 0) {
  ExactSums sums;
  sums.add(*cell_of(values, own));
  return sums;
}

std::vector<uint64_t> from_one_to(uint64_t last) {
  std::vector<uint64_t> values;
  for (uint64_t i = 1; i <= last; ++i) values.push_back(i);
  return values;
}

TEST(ExactBucket, HoldsTheValuesThatItsRangeSays) {
  const struct {
    uint64_t value;
    uint32_t bucket;
    uint64_t low, high;
  } cases[] = {
      {0, 0, 0, 0},
      {15, 15, 15, 15},
      {16, 16, 16, 16},
      {31, 31, 31, 31},
      {32, 32, 32, 33},
      {33, 32, 32, 33},
      {63, 47, 62, 63},
      {64, 48, 64, 67},
      {1000, 111, 992, 1023},
      {(uint64_t{1} << 36) - 1, 527, uint64_t{31} << 31, (uint64_t{1} << 36) - 1},
      {uint64_t{1} << 36, 527, uint64_t{31} << 31, (uint64_t{1} << 36) - 1},  // too large: in the last
      {UINT64_MAX, 527, uint64_t{31} << 31, (uint64_t{1} << 36) - 1},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(nt_exact_bucket(c.value), c.bucket) << c.value;
    EXPECT_EQ(exact_bucket_range(c.bucket).low, c.low) << c.value;
    EXPECT_EQ(exact_bucket_range(c.bucket).high, c.high) << c.value;
  }
}

TEST(ExactBucket, RangesFollowOneAnotherAndAreNarrow) {
  uint64_t next = 0;
  for (uint32_t bucket = 0; bucket < NT_EXACT_BUCKETS; ++bucket) {
    const ValueRange range = exact_bucket_range(bucket);
    ASSERT_EQ(range.low, next) << bucket;
    ASSERT_EQ(nt_exact_bucket(range.low), bucket);
    ASSERT_EQ(nt_exact_bucket(range.high), bucket);
    // The middle is at most half a bucket, a 32nd of the value, from any value in it.
    ASSERT_LE((range.high - range.low) * 16, range.low) << bucket;
    next = range.high + 1;
  }
  EXPECT_EQ(next, uint64_t{1} << NT_EXACT_VALUE_BITS);
}

TEST(ExactQuantile, IsTheMiddleOfItsBucket) {
  const struct {
    std::vector<uint64_t> values;
    double q;
    double expected;
  } cases[] = {
      {{7}, 0.5, 7},
      {{7}, 0.99, 7},
      {{1, 2}, 0.5, 1},
      {{1, 2, 3}, 0.5, 2},
      {{1, 2, 3, 4}, 0.5, 2},
      {from_one_to(10), 0.9, 9},
      {from_one_to(10), 0.99, 10},
      {from_one_to(10), 0, 1},
      {from_one_to(10), 1, 10},
      {{1000, 1000, 1000}, 0.5, 1007.5},          // 992 to 1023
      {{5, 5, 5, 5, 5, 5, 5, 5, 5, 40}, 0.9, 5},  // the tenth is the tail
      {{5, 5, 5, 5, 5, 5, 5, 5, 5, 40}, 0.91, 40.5},
  };
  for (const auto& c : cases) {
    const auto got = exact_quantile(sums_of(c.values).buckets, c.q);
    ASSERT_TRUE(got);
    EXPECT_DOUBLE_EQ(*got, c.expected) << c.values.size() << " values, " << c.q;
  }
  EXPECT_FALSE(exact_quantile(ExactSums{}.buckets, 0.5));
}

TEST(ExactQuantile, IsRightToAThirtySecond) {
  std::vector<uint64_t> values;
  for (uint64_t v = 3; v < (uint64_t{1} << 35); v = v * 21 / 16 + 1) values.push_back(v);
  const ExactSums sums = sums_of(values);
  for (const double q : {0.1, 0.5, 0.9, 0.99}) {
    const auto rank = static_cast<size_t>(std::ceil(q * static_cast<double>(values.size())));
    const auto truth = static_cast<double>(values[rank - 1]);
    EXPECT_NEAR(*exact_quantile(sums.buckets, q), truth, truth / 32) << q;
  }
}

TEST(ExactMean, HasItsStandardError) {
  // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squared deviations sum to 32, so the variance is 32/7 and the error its
  // root by 8.
  const auto mean = exact_mean(sums_of({2, 4, 4, 4, 5, 5, 7, 9}), 0);
  ASSERT_TRUE(mean);
  EXPECT_DOUBLE_EQ(mean->mean, 5);
  EXPECT_DOUBLE_EQ(mean->std_error, std::sqrt(32.0 / 7 / 8));
}

TEST(ExactMean, TakesTheOwnCostOffOnce) {
  const std::vector<uint64_t> values{100, 110, 120};
  const auto mean = exact_mean(sums_of(values, 60), 60);
  EXPECT_DOUBLE_EQ(mean->mean, 50);
  EXPECT_DOUBLE_EQ(mean->std_error, std::sqrt(100.0 / 3));
  EXPECT_EQ(exact_mean(sums_of(values, 200), 200)->mean, 0) << "never negative";
  EXPECT_EQ(sums_of(values, 115).below, 2u);
  EXPECT_EQ(*exact_quantile(sums_of(values, 115).buckets, 0.5), 0);
}

TEST(ExactMean, NeedsValues) {
  EXPECT_FALSE(exact_mean(ExactSums{}, 5));
  const auto one = exact_mean(sums_of({1234}), 0);
  EXPECT_EQ(one->mean, 1234);
  EXPECT_EQ(one->std_error, 0);
}

TEST(ExactMean, SeesASmallSpreadOfLargeValues) {
  // A second in nanoseconds, one apart: a variance of 1/4 beside squares of 1e18, whose sum passes 64 bits.
  std::vector<uint64_t> values;
  for (int i = 0; i < 50; ++i) values.insert(values.end(), {1'000'000'000, 1'000'000'001});
  const auto mean = exact_mean(sums_of(values), 0);
  EXPECT_DOUBLE_EQ(mean->mean, 1'000'000'000.5);
  EXPECT_NEAR(mean->std_error, std::sqrt(25.0 / 99 / 100), 0.01);
}

TEST(ExactSums, AddCpusAndSubtractTheWindowBefore) {
  const std::vector<uint64_t> first{1, 50, 700}, second{2, 50, 90'000};
  ExactSums before = sums_of(first);
  ExactSums both = before;
  auto cell = cell_of(second, 10);
  cell->unreadable = 4;
  cell->inside = 5000;
  both.add(*cell);
  EXPECT_EQ(both.n, 6u);
  EXPECT_EQ(both.sum, 751u + 90'052u);
  EXPECT_EQ(both.below, 1u);
  EXPECT_EQ(both.unreadable, 4u);
  EXPECT_EQ(both.inside, 5000u);
  ExactSums alone;
  alone.add(*cell);
  EXPECT_EQ(both.minus(before), alone);
}

TEST(OwnCost, IsTheMedianOfEnoughTrials) {
  EXPECT_FALSE(own_cost_of({}));
  EXPECT_FALSE(own_cost_of(std::vector<uint64_t>(kLeastTrials - 1, 60)));
  std::vector<uint64_t> trials(kLeastTrials, 60);
  EXPECT_EQ(own_cost_of(trials), 60u);
  // Interrupts in four of ten runs, a lucky run in one.
  for (size_t i = 0; i < trials.size(); ++i)
    trials[i] = i % 10 < 4 ? 9000 + i : i % 10 == 4 ? 10 : 60 + i % 2;
  EXPECT_EQ(own_cost_of(trials), 61u);
  EXPECT_EQ(own_cost_of(from_one_to(100)), 50u) << "the lower of the two in the middle";
}

TEST(OwnCost, InsideIsWhatTrialsWithItTakeMore) {
  EXPECT_EQ(cost_inside(3700, 700), 3000u);
  EXPECT_EQ(cost_inside(690, 700), 0u);
  EXPECT_FALSE(cost_inside({}, 700));
  EXPECT_FALSE(cost_inside(3700, {}));
}

TEST(OwnCost, MarksWhatIsShorter) {
  EXPECT_TRUE(is_below_probe_cost(59.5, 60));
  EXPECT_FALSE(is_below_probe_cost(60, 60));
  EXPECT_FALSE(is_below_probe_cost(0, 0)) << "without a known cost nothing is below it";
}

TEST(StoodStill, IsACounterThatSawNotEvenTheProbes) {
  ExactSums sums;
  EXPECT_FALSE(stood_still(sums, 100)) << "nothing was measured";
  sums.n = 3;
  EXPECT_TRUE(stood_still(sums, 100));
  EXPECT_FALSE(stood_still(sums, 0)) << "a miss may happen in no call";
  sums.sum = 1;
  EXPECT_FALSE(stood_still(sums, 100));
}

}  // namespace
}  // namespace nettoll
