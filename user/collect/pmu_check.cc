// SPDX-License-Identifier: Apache-2.0
#include "collect/pmu_check.h"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include "collect/perf_event_fd.h"
#include "collect/pinned_thread.h"

namespace nettoll {
namespace {

constexpr uint64_t kIterations = 4'000'000;  // one or two milliseconds on a CPU of today

/// Exactly two instructions a turn where we can say so, in any case no fewer.
void spin(uint64_t iterations) {
#if defined(__x86_64__)
  asm volatile("1: sub $1, %0\n\tjnz 1b" : "+r"(iterations) : : "cc");
#elif defined(__aarch64__)
  asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(iterations) : : "cc");
#elif defined(__riscv)
  asm volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(iterations));
#else
  for (volatile uint64_t i = 0; i < iterations; i = i + 1) {
  }
#endif
}

Result<PerfEventFd> open_counter(const EventTarget& target, uint64_t id) {
  perf_event_attr attr = {};
  attr.size = sizeof(attr);
  attr.type = PERF_TYPE_HARDWARE;
  // Where the CPUs' PMUs differ in type the target has its CPUs, and the generic event needs the PMU's type.
  const bool extended = target.cpus.has_value() && target.pmu.starts_with("cpu_");
  const uint64_t pmu_type = target.type == PERF_TYPE_HARDWARE || target.type == PERF_TYPE_HW_CACHE
                                ? target.config >> 32
                                : target.type;
  attr.config = id | (extended ? pmu_type << 32 : 0);
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
  attr.disabled = 1;
  // User mode alone: interrupts in the loop do not count.
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  return PerfEventFd::open(attr, 0, -1);
}

std::optional<uint64_t> count_of(const Result<PerfEventFd>& event) {
  if (!event) return std::nullopt;
  const auto reading = event->read();
  if (!reading) return std::nullopt;
  return scaled_count(reading->value, reading->enabled_ns, reading->running_ns);
}

std::string nonsense(const char* event, uint64_t count, uint64_t iterations) {
  return fmt::format(
      "the PMU reports nonsense: {} {} for a loop of {} turns; usual in a guest whose hypervisor does not "
      "emulate it",
      count, event, iterations);
}

}  // namespace

PmuVerdict judge_pmu(const LoopCounts& counts) {
  const uint64_t n = counts.iterations;
  PmuVerdict verdict;
  if (!counts.cycles && !counts.instructions) return verdict;
  verdict.state = PmuVerdict::State::trusted;
  const auto lies = [&](const char* event, uint64_t count) {
    verdict.state = PmuVerdict::State::lies;
    verdict.reason = nonsense(event, count, n);
    return verdict;
  };
  // No CPU takes 8 branches a cycle; emulators need hundreds of cycles for one.
  if (counts.cycles && (*counts.cycles < n / 8 || *counts.cycles > n * 10'000))
    return lies("cycles", *counts.cycles);
  if (!counts.instructions) return verdict;
  // A counter that stands still, or holds anything at all, speaks against all others.
  if (*counts.instructions < n / 100 || *counts.instructions > n * 100)
    return lies("instructions", *counts.instructions);
  // Two a turn; up to 16 where the loop had to be left to the compiler.
  if (*counts.instructions < n + n / 2 || *counts.instructions > n * 16)
    verdict.instructions = nonsense("instructions", *counts.instructions, n);
  return verdict;
}

std::optional<uint64_t> scaled_count(uint64_t value, uint64_t enabled_ns, uint64_t running_ns) {
  if (running_ns == 0 || running_ns < enabled_ns / 4) return std::nullopt;
  return static_cast<uint64_t>(static_cast<double>(value) * static_cast<double>(enabled_ns) /
                               static_cast<double>(running_ns));
}

LoopCounts count_loop(const EventTarget& target) {
  std::optional<PinnedThread> pinned;
  if (target.cpus) pinned.emplace(*target.cpus);
  const auto cycles = open_counter(target, PERF_COUNT_HW_CPU_CYCLES);
  const auto instructions = open_counter(target, PERF_COUNT_HW_INSTRUCTIONS);
  LoopCounts counts;
  counts.iterations = kIterations;
  const auto start = [](const Result<PerfEventFd>& event) { return event && event->enable(); };
  const bool any = start(cycles);
  if (!start(instructions) && !any) return counts;
  spin(kIterations);
  counts.cycles = count_of(cycles);
  counts.instructions = count_of(instructions);
  return counts;
}

}  // namespace nettoll
