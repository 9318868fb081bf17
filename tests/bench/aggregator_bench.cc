// SPDX-License-Identifier: Apache-2.0
// How long one tick of a host with 256 CPUs takes to aggregate: 99 Hz, 5 events, 25 frames a stack.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "collect/stack_aggregator.h"

namespace {

using nettoll::RawBatch;
using nettoll::StackAggregator;

constexpr size_t kSamples = 256 * 99 * 5;
constexpr size_t kFrames = 25;

struct Input {
  uint32_t event;
  uint32_t cpu;
  const uint64_t* stack;
};

double milliseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

/// Prints the least and the middle time of many ticks with `kinds` different stacks.
void measure(size_t kinds) {
  std::mt19937_64 random(7);
  std::vector<uint64_t> frames(kinds * kFrames);
  for (auto& frame : frames) frame = 0xffffffff81000000 + random() % 0x1000000;
  std::vector<Input> inputs(kSamples);
  for (size_t i = 0; i < kSamples; ++i)
    inputs[i] = {static_cast<uint32_t>(i % 5), static_cast<uint32_t>(i / (99 * 5)),
                 &frames[random() % kinds * kFrames]};

  StackAggregator aggregator;
  RawBatch batch;
  std::vector<double> times;
  for (int tick = 0; tick < 21; ++tick) {
    batch.stacks.clear();
    batch.samples.clear();
    const auto start = std::chrono::steady_clock::now();
    for (const Input& input : inputs)
      aggregator.add(input.event, input.cpu, 1, input.stack[0], {input.stack + 1, kFrames - 1});
    aggregator.take(batch);
    times.push_back(milliseconds(std::chrono::steady_clock::now() - start));
  }
  std::sort(times.begin(), times.end());
  fmt::print("{:6} stacks {:7} rows: least {:6.2f} ms, middle {:6.2f} ms, {:5.1f} ns a sample\n", kinds,
             batch.samples.size(), times.front(), times[times.size() / 2],
             times[times.size() / 2] * 1e6 / kSamples);
}

}  // namespace

int main() {
  fmt::print("{} samples of {} frames\n", kSamples, kFrames);
  for (const size_t kinds : {100, 1000, 5000, 20000}) measure(kinds);
}
