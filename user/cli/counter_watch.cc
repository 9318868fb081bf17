// SPDX-License-Identifier: Apache-2.0
#include "cli/counter_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/counterless.h"

namespace nettoll {
namespace {

/// Many rounds of all events that a PMU shares (/sys/devices/*/perf_event_mux_interval_ms is some 4 ms).
constexpr uint64_t kStretchNs = 500'000'000;

bool includes(const CpuSet& all, const CpuSet& some) {
  return std::includes(all.ids.begin(), all.ids.end(), some.ids.begin(), some.ids.end());
}

std::string sentence(const std::string& event, const CpuSet& without) {
  if (without.empty()) return fmt::format("{} has its hardware counters again", event);
  return fmt::format(
      "{} had no hardware counter on CPUs {}: {}; what it would count there is unknown until one is free",
      event, format_cpu_list(without), kCountersHeld);
}

}  // namespace

std::vector<CounterWatch::Notice> CounterWatch::judge(const Profile& window) {
  counts_.insert(counts_.end(), window.counts.begin(), window.counts.end());
  stretch_ns_ += window.duration_ns;
  if (stretch_ns_ < kStretchNs) return {};
  stretch_ns_ = 0;
  std::vector<Notice> notices;
  for (Counterless& row : without_counters(window.session.events, std::exchange(counts_, {}))) {
    const std::string& event = window.session.events[row.event].name;
    CpuSet& before = without_[event];
    if (row.cpus == before) continue;
    notices.push_back({!includes(before, row.cpus), sentence(event, row.cpus)});
    before = std::move(row.cpus);
  }
  return notices;
}

}  // namespace nettoll
