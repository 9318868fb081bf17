// SPDX-License-Identifier: Apache-2.0
#include "ingest/stack_tally.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "ingest/frame_cache.h"

namespace nettoll {
namespace {

TEST(StackTally, SumsWhatIsEqual) {
  StackTally tally;
  const std::vector<uint32_t> a{1, 2, 3};
  const std::vector<uint32_t> b{1, 2};
  tally.add(0, 0, a, 10);
  tally.add(0, 0, b, 1);
  tally.add(0, 0, a, 5);
  tally.add(0, 1, a, 7);
  tally.add(1, 0, a, 9);
  tally.add(0, 0, {}, 4);
  EXPECT_EQ(tally.stacks(), 3u);
  EXPECT_EQ(tally.take_rows(),
            (std::vector<StackSamples>{
                {0, 0, 0, 2, 15}, {0, 0, 1, 1, 1}, {0, 1, 0, 1, 7}, {1, 0, 0, 1, 9}, {0, 0, 2, 1, 4}}));
}

TEST(StackTally, TheFirstStackMayBeEmpty) {
  StackTally tally;
  tally.add(0, 0, {}, 4);
  tally.add(0, 0, {}, 5);
  EXPECT_EQ(tally.take_rows(), (std::vector<StackSamples>{{0, 0, 0, 2, 9}}));
  EXPECT_TRUE(tally.stack(0).empty());
}

TEST(StackTally, GrowsWithoutMixingStacks) {
  StackTally tally;
  std::map<std::vector<uint32_t>, uint64_t> expected;
  for (uint32_t i = 0; i < 50'000; ++i) {
    std::vector<uint32_t> stack(i % 7 == 0 ? 5000 : i % 5);
    for (size_t k = 0; k < stack.size(); ++k) stack[k] = i % 1009 + static_cast<uint32_t>(k);
    tally.add(0, i % 3, stack, i);
    expected[stack] += i;
    if (i > 3000) i += 11;
  }
  EXPECT_EQ(tally.stacks(), expected.size());
  std::map<std::vector<uint32_t>, uint64_t> got;
  for (const StackSamples& row : tally.take_rows()) {
    const auto words = tally.stack(row.stack);
    got[{words.begin(), words.end()}] += row.period;
  }
  EXPECT_EQ(got, expected);
}

TEST(FrameCache, AsksOnceForEachFrame) {
  FrameCache cache;
  uint32_t made = 0;
  for (int round = 0; round < 2; ++round) {
    for (uint64_t address = 0; address < 10'000; ++address) {
      for (const uint8_t way : {1, 9}) {
        const uint32_t number =
            cache.find_or({address * 16, static_cast<uint32_t>(address % 3), way}, [&] { return made++; });
        EXPECT_EQ(number, address * 2 + (way == 9));
      }
    }
  }
  EXPECT_EQ(made, 20'000u);
}

}  // namespace
}  // namespace nettoll
