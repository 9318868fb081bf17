// SPDX-License-Identifier: Apache-2.0
#include "collect/sampler_plan.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "collect/perf_event_name.h"

namespace nettoll {
namespace {

constexpr std::string_view kBaseline = "cpu-clock";

constexpr size_t kSmallestRing = 64 << 10;
constexpr size_t kLargestRing = 512 << 10;
constexpr size_t kAllRings = 32 << 20;

/// Bytes of a record with some two dozen frames: eight words of fields, a marker, and the frames.
constexpr uint64_t kUsualRecord = 256;
/// How often an event with a fixed period is taken to fire: its real rate is not known before it runs.
constexpr uint64_t kAssumedRate = 1000;

/// Samples a second that halving stops at; and how often a period is doubled, which may be of any frequency.
constexpr uint64_t kLowestFrequency = 10;
constexpr uint32_t kMostDoublings = 3;

/// Descriptors that the rest of the process may open at any time: files of /proc, maps, links, sockets.
constexpr uint64_t kToWorkWith = 64;

}  // namespace

Result<std::vector<EventRequest>> plan_events(const std::vector<std::string>& names, SampleRate rate,
                                              const KernelFs& fs) {
  if (rate.frequency != 0 && rate.period != 0)
    return usage_error("a frequency (-F) and a period (-c) exclude each other");
  const SampleRate usual{kDefaultFrequency, 0};
  const SampleRate asked_rate = rate == SampleRate{} ? usual : rate;

  std::vector<EventRequest> requests;
  const auto add = [&](std::string_view name, SampleRate at) -> Status {
    auto spec = parse_event(name, fs);
    if (!spec) return spec.error();
    const bool known = std::any_of(requests.begin(), requests.end(),
                                   [&](const EventRequest& r) { return r.spec.name == spec->name; });
    if (!known) requests.push_back({std::move(*spec), at});
    return {};
  };
  std::vector<std::string> asked;
  for (const std::string& list : names) {
    auto items = split_event_list(list);
    if (!items) return items.error();
    asked.insert(asked.end(), items->begin(), items->end());
  }
  if (asked.empty()) asked = {"cycles", "instructions", "cache-misses", "branch-misses"};
  for (const std::string& name : asked) {
    if (auto done = add(name, asked_rate); !done) return done.error();
  }
  const auto is_baseline = [](const EventRequest& r) { return r.spec.name == kBaseline; };
  if (std::none_of(requests.begin(), requests.end(), is_baseline)) {
    if (auto done = add(kBaseline, rate.period != 0 ? usual : asked_rate); !done) return done.error();
    std::rotate(requests.begin(), requests.end() - 1, requests.end());
  }
  return requests;
}

std::optional<std::string> lower_rate(EventRequest& request, uint64_t kernel_limit) {
  constexpr uint64_t kShortestPeriod = 1'000'000'000 / kFastestClock;
  const bool clock = request.spec.kind == EventKind::clock;
  SampleRate& rate = request.rate;
  if (clock && rate.period != 0 && rate.period < kShortestPeriod) {
    const uint64_t asked = std::exchange(rate.period, kShortestPeriod);
    return fmt::format("{} is sampled every {} ns instead of every {}: faster, it would leave CPUs no time",
                       request.spec.name, rate.period, asked);
  }
  const bool by_clock = clock && kFastestClock < kernel_limit;
  const uint64_t most = by_clock ? kFastestClock : kernel_limit;
  if (rate.frequency <= most) return std::nullopt;
  const uint64_t asked = std::exchange(rate.frequency, most);
  return fmt::format("{} is sampled {} times a second instead of {}: {}", request.spec.name, most, asked,
                     by_clock ? "faster, it would leave CPUs no time" : "kernel.perf_event_max_sample_rate");
}

uint32_t most_halvings(std::span<const SampleRate> rates) {
  uint32_t most = 0;
  for (const SampleRate& rate : rates) {
    uint32_t halvings = rate.period != 0 ? kMostDoublings : 0;
    for (uint64_t frequency = rate.frequency; frequency / 2 >= kLowestFrequency; frequency /= 2) ++halvings;
    most = std::max(most, halvings);
  }
  return most;
}

SampleRate halve_rate(SampleRate rate, uint32_t halvings) {
  for (; halvings > 0; --halvings) {
    if (rate.frequency / 2 >= kLowestFrequency) rate.frequency /= 2;
    if (rate.period <= UINT64_MAX / 4) rate.period *= 2;
  }
  return rate;
}

Event to_event(const EventRequest& request) {
  const bool clock = request.spec.kind == EventKind::clock;
  Event event;
  event.name = request.spec.name;
  event.unit = clock ? EventUnit::nanoseconds : EventUnit::count;
  event.kernel_only = request.spec.kernel_only;
  event.timer = clock;
  event.frequency = request.rate.frequency;
  event.period = request.rate.period;
  return event;
}

size_t ring_bytes(std::span<const EventRequest> requests, uint32_t drain_interval_ms, size_t cpus) {
  uint64_t rate = 0;
  for (const EventRequest& request : requests)
    rate += request.rate.frequency != 0 ? request.rate.frequency : kAssumedRate;
  const uint64_t need = rate * kUsualRecord * drain_interval_ms / 1000 * 2;
  const size_t share = std::bit_floor(kAllRings / std::max<size_t>(cpus, 1));
  const size_t largest = std::clamp(share, kSmallestRing, kLargestRing);
  return std::bit_ceil(std::clamp<uint64_t>(need, kSmallestRing, largest));
}

uint64_t descriptors_needed(uint64_t open_now, size_t cpus, size_t events) {
  return open_now + cpus * events + kToWorkWith;
}

size_t events_that_fit(uint64_t limit, uint64_t open_now, size_t cpus) {
  const uint64_t taken = open_now + kToWorkWith;
  return limit <= taken || cpus == 0 ? 0 : (limit - taken) / cpus;
}

}  // namespace nettoll
