// SPDX-License-Identifier: Apache-2.0
#include "correlate/significance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace nettoll {
namespace {

SampledCost cost(double value, uint64_t samples) {
  return {value, samples, samples ? value / static_cast<double>(samples) : 0};
}

TEST(ErrorOfDifference, OfEqualSidesIsThatOfBothTogether) {
  // 100 samples of 1 each: sqrt(100 + 100).
  const auto error = error_of_difference(cost(100, 100), cost(100, 100), 0);
  ASSERT_TRUE(error);
  EXPECT_NEAR(*error, std::sqrt(200.0), 1e-9);
}

TEST(ErrorOfDifference, WeighsSidesBySamples) {
  // A: 400 samples of 1/4, B: 100 samples of 1. Common cost (500) / (4 + 1) = 100; variance 100 * (1/4 + 1).
  const auto error = error_of_difference(cost(100, 400), cost(100, 100), 0);
  ASSERT_TRUE(error);
  EXPECT_NEAR(*error, std::sqrt(125.0), 1e-9);
}

TEST(ErrorOfDifference, JudgesASideWithoutSamples) {
  // Nothing against 100 samples of 1, both worth 1 a sample: common cost 50, variance 50 * 2.
  SampledCost none{0, 0, 1};
  const auto error = error_of_difference(none, cost(100, 100), 0);
  ASSERT_TRUE(error);
  EXPECT_NEAR(*error, 10, 1e-9);  // so the difference is sqrt(100) errors
}

TEST(ErrorOfDifference, GrowsByTheSpread) {
  const auto error = error_of_difference(cost(100, 100), cost(100, 100), 0.1);
  ASSERT_TRUE(error);
  EXPECT_NEAR(*error, std::sqrt(200.0 + 100.0), 1e-9);
}

TEST(ErrorOfDifference, SaysNothingOfFewSamplesOrNonsense) {
  EXPECT_FALSE(error_of_difference(cost(8, 8), cost(7, 7), 0));
  EXPECT_TRUE(error_of_difference(cost(8, 8), cost(8, 8), 0));
  EXPECT_FALSE(error_of_difference({0, 100, 0}, {0, 100, 0}, 0));
  EXPECT_FALSE(error_of_difference({INFINITY, 100, INFINITY}, cost(100, 100), 0));
  EXPECT_FALSE(error_of_difference({NAN, 100, NAN}, cost(100, 100), 0));
}

TEST(TwoSidedP, KnownDeviates) {
  struct Case {
    double z, p;
  };
  for (const Case& c : {Case{0, 1}, {1.959964, 0.05}, {-1.959964, 0.05}, {2.575829, 0.01}, {3.290527, 0.001}})
    EXPECT_NEAR(two_sided_p(c.z), c.p, 1e-6) << c.z;
}

TEST(TwoSidedP, StudentsTablesToAThousandth) {
  struct Case {
    double t, freedom, p;
  };
  for (const Case& c :
       {Case{2.776, 4, 0.05}, {2.262, 9, 0.05}, {3.250, 9, 0.01}, {2.086, 20, 0.05}, {4.604, 4, 0.01}})
    EXPECT_NEAR(two_sided_p(c.t, c.freedom), c.p, 0.001) << c.t << " " << c.freedom;
  EXPECT_NEAR(two_sided_p(2, INFINITY), two_sided_p(2), 1e-12);
  EXPECT_EQ(two_sided_p(5, 0), 1);
}

TEST(FalseDiscoveryRates, OfTheFirstExampleByHand) {
  // Sorted 0.01 0.02 0.03 0.5: times 4/rank is 0.04 0.04 0.04 0.5.
  const std::vector<double> p{0.03, 0.5, 0.01, 0.02};
  const auto q = false_discovery_rates(p);
  ASSERT_EQ(q.size(), 4u);
  EXPECT_NEAR(q[0], 0.04, 1e-12);
  EXPECT_NEAR(q[1], 0.5, 1e-12);
  EXPECT_NEAR(q[2], 0.04, 1e-12);
  EXPECT_NEAR(q[3], 0.04, 1e-12);
  EXPECT_TRUE(false_discovery_rates({}).empty());
  const std::vector<double> one{0.2};
  EXPECT_EQ(false_discovery_rates(one).front(), 0.2);
}

TEST(FalseDiscoveryRates, AreNeverLessForALargerP) {
  const std::vector<double> p{0.04, 0.041, 0.9};
  const auto q = false_discovery_rates(p);
  EXPECT_NEAR(q[0], 0.0615, 1e-9);  // 0.04 * 3 = 0.12, but the next one gives 0.041 * 3 / 2
  EXPECT_NEAR(q[1], 0.0615, 1e-9);
}

TEST(SpreadOf, IsNoneWhereChanceExplainsAll) {
  std::vector<SampledPair> pairs(20, {cost(100, 100), cost(101, 101)});
  EXPECT_EQ(spread_of(pairs), 0);
}

TEST(SpreadOf, IsTheMoveOfTheTypicalPair) {
  // All moved by 20% with a million samples each: chance explains nothing, so half the deviates must be
  // brought below 0.674: 0.2 / 1.1 (of the common cost) / 0.674.
  std::vector<SampledPair> pairs(20, {cost(1e6, 1'000'000), cost(1.2e6, 1'200'000)});
  EXPECT_NEAR(spread_of(pairs), 0.2 / 1.1 / 0.67449, 0.02);
}

TEST(SpreadOf, IsNotMovedByAFewRealChanges) {
  std::vector<SampledPair> pairs(20, {cost(100, 100), cost(103, 103)});
  for (int i = 0; i < 7; ++i) pairs[i].b = cost(1000, 1000);
  EXPECT_EQ(spread_of(pairs), 0);
}

TEST(SpreadOf, NeedsPairsWithSamples) {
  std::vector<SampledPair> pairs(7, {cost(1e6, 1'000'000), cost(1.2e6, 1'200'000)});
  EXPECT_EQ(spread_of(pairs), 0);
  std::vector<SampledPair> thin(20, {cost(10, 10), cost(12, 12)});
  EXPECT_EQ(spread_of(thin), 0);
  EXPECT_EQ(spread_of({}), 0);
}

/// Draws pairs as two recordings of one load would have them, and counts what is called different.
struct Simulation {
  std::mt19937 random{20261130};
  double spread = 0;       ///< real move of each function from one recording to the other, as a part
  size_t functions = 200;  ///< of 20 to 2,000 samples each

  SampledCost draw(double mean) {
    const auto n = static_cast<uint64_t>(std::poisson_distribution<uint64_t>(mean)(random));
    return {static_cast<double>(n), n, 1};
  }
  /// How many of the first `changed` functions, which grow by `growth`, and how many of the others are named.
  std::pair<size_t, size_t> run(size_t changed, double growth) {
    std::vector<SampledPair> pairs;
    std::uniform_real_distribution<double> size(std::log(20.0), std::log(2000.0));
    std::normal_distribution<double> move(0, spread);
    for (size_t i = 0; i < functions; ++i) {
      const double mean = i < changed ? 300 : std::exp(size(random));
      const double real = mean * std::max(0.1, 1 + move(random)) * (i < changed ? growth : 1);
      pairs.push_back({draw(mean), draw(real)});
    }
    const double found = spread_of(pairs);
    std::vector<double> p;
    for (const SampledPair& pair : pairs) {
      const auto error = error_of_difference(pair.a, pair.b, found);
      p.push_back(error ? two_sided_p((pair.b.value - pair.a.value) / *error, kTailFreedom) : 1);
    }
    const auto q = false_discovery_rates(p);
    std::pair<size_t, size_t> named{0, 0};
    for (size_t i = 0; i < q.size(); ++i) {
      if (q[i] <= 0.05) ++(i < changed ? named.first : named.second);
    }
    return named;
  }
};

TEST(Simulated, TwoRecordingsOfOneLoadRarelyDiffer) {
  Simulation simulation;
  int alarms = 0;
  for (int i = 0; i < 400; ++i) alarms += simulation.run(0, 1).second > 0;
  EXPECT_LE(alarms, 32);  // at 5% 20 are expected, and 2.75 standard errors; long tails leave far fewer
}

TEST(Simulated, AnUnsteadyHostDoesNotMakeThemDiffer) {
  // Each function really costs 10% more or less: without the spread nearly every pair would be called
  // different.
  Simulation simulation;
  simulation.spread = 0.1;
  int alarms = 0;
  for (int i = 0; i < 400; ++i) alarms += simulation.run(0, 1).second > 0;
  EXPECT_LE(alarms, 60);  // the spread is an estimate itself
}

TEST(Simulated, SeesTenFunctionsThatDoubled) {
  Simulation simulation;
  size_t seen = 0;
  size_t wrong = 0;
  for (int i = 0; i < 100; ++i) {
    const auto [right, others] = simulation.run(10, 2);
    seen += right;
    wrong += others;
  }
  EXPECT_GE(seen, 950u);        // of 1,000: 300 samples more than 300 are 10 standard errors
  EXPECT_LE(wrong, seen / 10);  // the rate of false discoveries, doubled for chance
}

}  // namespace
}  // namespace nettoll
