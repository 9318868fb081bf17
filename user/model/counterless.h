// SPDX-License-Identifier: Apache-2.0
// Where events stood without a hardware counter. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "base/cpu_set.h"
#include "model/profile.h"

namespace nettoll {

/// CPUs on which an event was enabled for a whole window and never ran: others' pinned events, such as
/// another profiler's, come before ours and may hold all counters of a PMU (perf_event_open(2), `pinned`).
/// Events that take turns had counters for a part of the window, and are not meant; nor are timers, which
/// need none.
struct Counterless {
  uint32_t event = 0;
  CpuSet cpus;  ///< empty where it ran on all of them
};

/// A row for each of `events` that was enabled on some CPU. Several rows of one event and CPU are one window.
std::vector<Counterless> without_counters(const std::vector<Event>& events,
                                          const std::vector<EventCount>& counts);

/// Why, as a part of a sentence. The kernel does not tell.
inline constexpr const char* kCountersHeld = "others may have held them all, such as another profiler";

}  // namespace nettoll
