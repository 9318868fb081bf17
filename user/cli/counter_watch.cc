// SPDX-License-Identifier: Apache-2.0
#include "cli/counter_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/counterless.h"

namespace nettoll {
namespace {

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
  std::vector<Notice> notices;
  for (Counterless& row : without_counters(window.counts)) {
    if (row.event >= window.session.events.size()) continue;
    const std::string& event = window.session.events[row.event].name;
    CpuSet& before = without_[event];
    if (row.cpus == before) continue;
    notices.push_back({!includes(before, row.cpus), sentence(event, row.cpus)});
    before = std::move(row.cpus);
  }
  return notices;
}

}  // namespace nettoll
