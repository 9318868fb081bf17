// SPDX-License-Identifier: Apache-2.0
#include "collect/stack_aggregator.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

namespace nettoll {
namespace {

using Stack = std::vector<uint64_t>;

Stack stack_of(const RawBatch& batch, const StackSamples& row) {
  const auto frames = batch.stacks[row.stack];
  return {frames.begin(), frames.end()};
}

TEST(StackAggregator, SumsByEventCpuAndStack) {
  StackAggregator aggregator;
  const Stack callers{20, 30};
  aggregator.add(0, 1, 100, 10, callers);
  aggregator.add(0, 1, 50, 10, callers);
  aggregator.add(1, 1, 7, 10, callers);
  aggregator.add(0, 2, 9, 10, callers);
  aggregator.add(0, 1, 3, 11, callers);
  aggregator.add(0, 1, 4, 10, {});
  RawBatch batch;
  aggregator.take(batch);
  EXPECT_EQ(batch.samples,
            (std::vector<StackSamples>{
                {0, 1, 0, 2, 150}, {1, 1, 0, 1, 7}, {0, 2, 0, 1, 9}, {0, 1, 1, 1, 3}, {0, 1, 2, 1, 4}}));
  ASSERT_EQ(batch.stacks.size(), 3u);
  EXPECT_EQ(stack_of(batch, batch.samples[0]), (Stack{10, 20, 30}));
  EXPECT_EQ(stack_of(batch, batch.samples[3]), (Stack{11, 20, 30}));
  EXPECT_EQ(stack_of(batch, batch.samples[4]), (Stack{10}));
}

TEST(StackAggregator, TellsStacksApartThatShareAPrefixOrAnOrder) {
  StackAggregator aggregator;
  const std::vector<Stack> all{{},        {1},          {1, 2},       {2, 1},
                               {1, 2, 3}, {1, 2, 3, 0}, {0, 1, 2, 3}, {1, 2, 3, 0, 0}};
  for (const auto& callers : all) aggregator.add(0, 0, 1, 9, callers);
  EXPECT_EQ(aggregator.stack_count(), all.size());
}

TEST(StackAggregator, StartsAnewAfterATake) {
  StackAggregator aggregator;
  aggregator.add(0, 0, 5, 10, Stack{20});
  RawBatch first;
  aggregator.take(first);
  EXPECT_EQ(aggregator.row_count(), 0u);
  EXPECT_EQ(aggregator.stack_count(), 0u);

  aggregator.add(0, 0, 6, 11, {});
  RawBatch second;
  aggregator.take(second);
  EXPECT_EQ(second.samples, (std::vector<StackSamples>{{0, 0, 0, 1, 6}}));
  EXPECT_EQ(stack_of(second, second.samples[0]), Stack{11});

  RawBatch third;
  aggregator.take(third);
  EXPECT_TRUE(third.samples.empty());
  EXPECT_EQ(third.stacks.size(), 0u);
}

TEST(StackAggregator, AppendsToABatchThatHoldsSome) {
  StackAggregator aggregator;
  RawBatch batch;
  aggregator.add(0, 0, 5, 10, Stack{20});
  aggregator.take(batch);
  aggregator.add(0, 3, 6, 11, Stack{21});
  aggregator.take(batch);
  ASSERT_EQ(batch.samples.size(), 2u);
  EXPECT_EQ(batch.samples[1], (StackSamples{0, 3, 1, 1, 6}));
  EXPECT_EQ(stack_of(batch, batch.samples[0]), (Stack{10, 20}));
  EXPECT_EQ(stack_of(batch, batch.samples[1]), (Stack{11, 21}));
}

TEST(StackAggregator, CountsWhatFindsNoRoom) {
  const struct {
    const char* what;
    AggregatorLimits limits;
  } cases[] = {
      {"stacks", {2, 100, 100}},
      {"frames", {100, 4, 100}},
      {"rows", {100, 100, 2}},
  };
  for (const auto& c : cases) {
    StackAggregator aggregator(c.limits);
    aggregator.add(1, 0, 1, 10, Stack{20});
    aggregator.add(1, 0, 1, 11, Stack{20});
    aggregator.add(1, 0, 1, 12, Stack{20});
    aggregator.add(0, 0, 1, 12, Stack{20});
    aggregator.add(1, 0, 1, 12, Stack{20});
    aggregator.add(1, 0, 1, 10, Stack{20});  // known, so still counted
    ASSERT_EQ(aggregator.overflow().size(), 2u) << c.what;
    EXPECT_EQ(aggregator.overflow()[0], 1u) << c.what;
    EXPECT_EQ(aggregator.overflow()[1], 2u) << c.what;
    RawBatch batch;
    aggregator.take(batch);
    ASSERT_EQ(batch.samples.size(), 2u) << c.what;
    EXPECT_EQ(batch.samples[0].samples, 2u) << c.what;
    EXPECT_TRUE(aggregator.overflow().empty());
  }
}

TEST(StackAggregator, AgreesWithAMapOnManySamples) {
  std::mt19937_64 random(1);
  std::vector<Stack> stacks;
  for (int i = 0; i < 5000; ++i) {
    Stack stack(1 + random() % 30);
    for (auto& frame : stack) frame = 0xffffffff81000000 + random() % 64 * 16;
    stacks.push_back(stack);
  }
  std::map<std::tuple<uint32_t, uint32_t, Stack>, std::pair<uint64_t, uint64_t>> expected;
  StackAggregator aggregator;
  for (int i = 0; i < 40000; ++i) {
    const auto event = static_cast<uint32_t>(random() % 3), cpu = static_cast<uint32_t>(random() % 8);
    const uint64_t period = random() % 1000;
    const Stack& stack = stacks[random() % stacks.size()];
    aggregator.add(event, cpu, period, stack[0], std::span(stack).subspan(1));
    auto& [samples, sum] = expected[{event, cpu, stack}];
    ++samples;
    sum += period;
  }
  RawBatch batch;
  aggregator.take(batch);
  ASSERT_EQ(batch.samples.size(), expected.size());
  for (const auto& row : batch.samples) {
    const auto it = expected.find({row.event, row.cpu, stack_of(batch, row)});
    ASSERT_NE(it, expected.end());
    EXPECT_EQ(it->second, std::pair(uint64_t{row.samples}, row.period));
  }
}

}  // namespace
}  // namespace nettoll
