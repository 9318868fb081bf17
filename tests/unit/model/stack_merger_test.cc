// SPDX-License-Identifier: Apache-2.0
#include "model/stack_merger.h"

#include <gtest/gtest.h>

#include <vector>

namespace nettoll {
namespace {

using Stack = std::vector<uint32_t>;

TEST(StackMerger, KeepsEachStackOnce) {
  StackMerger merger(6, 12);
  EXPECT_EQ(merger.add(Stack{1, 2, 3}), 0u);
  EXPECT_EQ(merger.add(Stack{1, 2}), 1u);
  EXPECT_EQ(merger.add(Stack{3, 2, 1}), 2u);
  EXPECT_EQ(merger.add(Stack{1, 2, 3}), 0u);
  EXPECT_EQ(merger.add(Stack{}), 3u);
  EXPECT_EQ(merger.add(Stack{}), 3u);
  EXPECT_EQ(merger.repeated(), (std::vector<uint8_t>{1, 0, 0, 1}));
  const auto table = merger.take();
  ASSERT_EQ(table.size(), 4u);
  EXPECT_EQ(Stack(table[2].begin(), table[2].end()), (Stack{3, 2, 1}));
}

TEST(StackMerger, TellsThousandsApart) {
  constexpr uint32_t kStacks = 20000;
  StackMerger merger(2 * kStacks, 8 * kStacks);
  for (uint32_t round = 0; round < 2; ++round) {
    for (uint32_t i = 0; i < kStacks; ++i)
      ASSERT_EQ(merger.add(Stack{i % 7, i % 11, i, 5}), i) << "round " << round;
  }
}

TEST(MergeRows, SumsEqualOnes) {
  // Stack 0 may repeat, stack 1 cannot.
  const std::vector<uint8_t> repeats{1, 0};
  const auto rows = merge_rows(
      {{0, 3, 0, 2, 20}, {0, 3, 1, 1, 10}, {1, 3, 0, 4, 40}, {0, 3, 0, 5, 50}, {0, 4, 0, 1, 7}}, repeats);
  const std::vector<StackSamples> expected{
      {0, 3, 0, 7, 70}, {0, 3, 1, 1, 10}, {1, 3, 0, 4, 40}, {0, 4, 0, 1, 7}};
  EXPECT_EQ(rows, expected);
  EXPECT_TRUE(merge_rows({}, repeats).empty());
}

TEST(MergeRows, LosesNoSample) {
  std::vector<StackSamples> rows;
  for (uint32_t i = 0; i < 30000; ++i) rows.push_back({i % 5, i % 64, i % 100, 1, 3});
  const auto merged = merge_rows(rows, std::vector<uint8_t>(100, 1));
  // The triple repeats with the least common multiple of 5, 64 and 100.
  EXPECT_EQ(merged.size(), 1600u);
  uint64_t samples = 0, period = 0;
  for (const auto& row : merged) samples += row.samples, period += row.period;
  EXPECT_EQ(samples, 30000u);
  EXPECT_EQ(period, 90000u);
}

}  // namespace
}  // namespace nettoll
