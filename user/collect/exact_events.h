// SPDX-License-Identifier: Apache-2.0
// The counters that exact mode reads: each event counting, not sampling, on each CPU.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/cpu_set.h"
#include "base/result.h"
#include "collect/perf_event_fd.h"
#include "collect/perf_event_spec.h"
#include "collect/sampler_plan.h"
#include "model/event.h"

namespace nettoll {

/// Those of the sampled events that exact mode reads too: of a CPU's own PMU, and `running` here. The
/// programs have room for a few; for each one more there is a sentence in `notes`.
std::vector<EventSpec> exact_events(std::span<const EventRequest> requests, std::span<const Event> running,
                                    std::vector<std::string>& notes);

/// Owns the counters of all CPUs.
class ExactEvents {
 public:
  /// Opens and starts each event on each of `cpus` that has it, and puts it at [event * cpu_limit + cpu] of
  /// the map `map_fd`. A counter that cannot be opened leaves its place empty: the kernel side finds it
  /// unreadable, and counts that. Fails where the map does not take a counter.
  static Result<ExactEvents> open(std::span<const EventSpec> events, const CpuSet& cpus, uint32_t cpu_limit,
                                  int map_fd);

 private:
  std::vector<PerfEventFd> counters_;
};

}  // namespace nettoll
