// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/whole_weights.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace nettoll {
namespace {

TEST(WholeWeights, AddUpToTheRoundedSum) {
  const std::vector<std::vector<double>> table{
      {1.0 / 3, 1.0 / 3, 1.0 / 3}, {0.4, 0.4, 0.4, 0.4}, {2.5, 2.5}, {0, 0}, {1e15 + 0.5, 0.25, 7}, {0.49}};
  for (const auto& weights : table) {
    WholeWeights whole;
    uint64_t sum = 0;
    double exact = 0;
    for (const double weight : weights) {
      const uint64_t got = whole.next(weight);
      EXPECT_NEAR(static_cast<double>(got), weight, 1);
      sum += got;
      exact += weight;
    }
    EXPECT_EQ(sum, static_cast<uint64_t>(std::llround(exact)));
  }
}

TEST(WholeWeights, WholeOnesStayAsTheyAre) {
  WholeWeights whole;
  for (const uint64_t weight : {5u, 0u, 17u, 1u}) EXPECT_EQ(whole.next(static_cast<double>(weight)), weight);
}

}  // namespace
}  // namespace nettoll
