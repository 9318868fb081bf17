// SPDX-License-Identifier: Apache-2.0
// How long one tick of a large host takes to be named: 120,000 sample rows over 50,000 stacks of 25 frames.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "symbolize/symbolizer.h"

namespace {

constexpr uint64_t kBase = 0xffffffff81000000;
constexpr int kFunctions = 120'000, kFunctionSize = 256;

std::string synthetic_text() {
  std::string text = fmt::format("{:x} T _stext\n", kBase);
  for (int i = 0; i < kFunctions; ++i)
    text += fmt::format("{:x} t some_function_of_the_kernel_{}\n",
                        kBase + static_cast<uint64_t>(i) * kFunctionSize, i);
  return text;
}

/// Stacks as a kernel has them: calls come from few places, so 3,000 addresses make up all frames.
nettoll::RawBatch synthetic_batch(int stacks, int frames, int rows) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> places(3000);
  for (uint64_t& place : places) place = kBase + random() % (uint64_t{kFunctions} * kFunctionSize);
  nettoll::RawBatch batch;
  batch.start_ns = 1'000'000'000;
  batch.end_ns = 2'000'000'000;
  std::vector<uint64_t> stack(frames);
  for (int i = 0; i < stacks; ++i) {
    for (uint64_t& frame : stack) frame = places[random() % places.size()];
    batch.stacks.add(stack);
  }
  for (int i = 0; i < rows; ++i)
    batch.samples.push_back({static_cast<uint32_t>(i / stacks), static_cast<uint32_t>(random() % 256),
                             static_cast<uint32_t>(i % stacks), 1, 1000});
  return batch;
}

/// CPU time, which other load on the host disturbs less than wall time.
double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

int main() {
  auto symbols = nettoll::KernelSymbols::parse(synthetic_text());
  if (!symbols) {
    fmt::print(stderr, "{}\n", symbols.error().text());
    return 1;
  }
  nettoll::Symbolizer symbolizer(nettoll::KernelFs(), std::move(*symbols), {}, {});
  for (const int stacks : {5'000, 50'000}) {
    constexpr int kFrames = 25, kRows = 120'000, kRuns = 15;
    const nettoll::RawBatch batch = synthetic_batch(stacks, kFrames, kRows);
    std::vector<double> ms;
    size_t named = 0;
    for (int run = 0; run < kRuns; ++run) {
      nettoll::RawBatch copy = batch;
      const double begin = cpu_seconds();
      const nettoll::Profile profile = symbolizer.symbolize(std::move(copy), 0);
      ms.push_back((cpu_seconds() - begin) * 1e3);
      named = profile.samples.size();
    }
    const double first = ms.front();
    std::sort(ms.begin(), ms.end());
    fmt::print(
        "{} rows, {} stacks of {} frames: {:.1f} ms first, {:.1f} ms at best, {:.1f} ms median of {} runs "
        "({} rows named)\n",
        kRows, stacks, kFrames, first, ms.front(), ms[kRuns / 2], kRuns, named);
  }
  return 0;
}
