// SPDX-License-Identifier: Apache-2.0
// What the sampler decides before it opens anything. No system calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/kernel_fs.h"
#include "collect/perf_event_spec.h"
#include "model/event.h"

namespace nettoll {

inline constexpr uint64_t kDefaultFrequency = 99;

/// One event to run and how often to sample it.
struct EventRequest {
  EventSpec spec;
  SampleRate rate;

  bool operator==(const EventRequest&) const = default;
};

/// The events of -e in their order, without repetitions, with cpu-clock put first if it is not among them;
/// for an empty list cpu-clock, cycles, instructions, cache-misses and branch-misses. Each name may be a
/// comma list. An added cpu-clock is sampled by frequency even if `rate` is a period, which is in events and
/// would mean nothing in nanoseconds. Usage errors as parse_event() has them.
Result<std::vector<EventRequest>> plan_events(const std::vector<std::string>& names, SampleRate rate,
                                              const KernelFs& fs);

/// How often a clock samples at most. A sample with its stack was seen to take 15 us in a virtual machine: at
/// the 100,000 that perf's default limit lets pass the CPU does nothing else, and cannot even be told to
/// stop. What slows a PMU down in time, kernel.perf_cpu_time_max_percent, does not look at timers.
inline constexpr uint64_t kFastestClock = 10'000;

/// Lowers the rate of `request` to what the kernel takes (kernel.perf_event_max_sample_rate) and a clock may
/// have. A sentence that says so where it did.
std::optional<std::string> lower_rate(EventRequest& request, uint64_t kernel_limit);

/// How often each of `rates` may be halved to save CPU time: down to some ten samples a second
/// on a CPU, below which an interval says nothing any more.
uint32_t most_halvings(std::span<const SampleRate> rates);

/// `rate` halved so many times. A frequency stays where halving would take it below the least.
SampleRate halve_rate(SampleRate rate, uint32_t halvings);

/// The event as the model has it.
Event to_event(const EventRequest& request);

/// Bytes of records in each CPU's ring: room for what `requests` write in `drain_interval_ms` with stacks of
/// usual depth, twice over; a power of two from 64 KB to 512 KB, and no more than 32 MB over all CPUs as
/// long as each has its 64 KB.
size_t ring_bytes(std::span<const EventRequest> requests, uint32_t drain_interval_ms, size_t cpus);

/// Descriptors that the process needs: those open now, one for each event on each CPU, and some to work with.
uint64_t descriptors_needed(uint64_t open_now, size_t cpus, size_t events);

/// How many events can be opened on all of `cpus` under the limit, with those to work with left over.
size_t events_that_fit(uint64_t limit, uint64_t open_now, size_t cpus);

}  // namespace nettoll
