// SPDX-License-Identifier: Apache-2.0
// How long one tick of a host with 256 CPUs takes to aggregate: 99 Hz, 5 events, 25 frames a stack.
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "collect/stack_aggregator.h"

namespace {

using nettoll::RawBatch;
using nettoll::StackAggregator;

constexpr size_t kSamples = 256 * 99 * 5;
constexpr size_t kFrames = 25;

/// CPU time of this thread in milliseconds: a busy host must not count.
double cpu_ms() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Prints the least and the middle time of many ticks with `kinds` different stacks.
void measure(size_t kinds) {
  std::mt19937_64 random(7);
  std::vector<uint64_t> frames(kinds * kFrames);
  for (auto& frame : frames) frame = 0xffffffff81000000 + random() % 0x1000000;
  // Samples lie one after the other, as in a ring.
  std::vector<uint64_t> input(kSamples * kFrames);
  for (size_t i = 0; i < kSamples; ++i)
    std::copy_n(&frames[random() % kinds * kFrames], kFrames, &input[i * kFrames]);

  StackAggregator aggregator;
  RawBatch batch;
  std::vector<double> times;
  for (int tick = 0; tick < 21; ++tick) {
    batch.stacks.clear();
    batch.samples.clear();
    const double start = cpu_ms();
    for (size_t i = 0; i < kSamples; ++i) {
      const uint64_t* stack = &input[i * kFrames];
      aggregator.add(static_cast<uint32_t>(i % 5), static_cast<uint32_t>(i / (99 * 5)), 1, stack[0],
                     {stack + 1, kFrames - 1});
    }
    aggregator.take(batch);
    times.push_back(cpu_ms() - start);
  }
  std::sort(times.begin(), times.end());
  fmt::print("{:6} stacks {:7} rows: least {:6.2f} ms, middle {:6.2f} ms, {:5.1f} ns a sample\n", kinds,
             batch.samples.size(), times.front(), times[times.size() / 2], times.front() * 1e6 / kSamples);
}

}  // namespace

int main() {
  fmt::print("{} samples of {} frames\n", kSamples, kFrames);
  for (const size_t kinds : {100, 1000, 5000, 20000}) measure(kinds);
}
