// SPDX-License-Identifier: Apache-2.0
// What each CPU had of each event, the busy and the idle told apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/cost_table.h"
#include "model/event.h"

namespace nettoll {

/// One CPU.
struct CpuShare {
  uint32_t cpu = 0;
  /// Of cpu-clock; empty where that was not sampled. Idle is what stacks say (Path::idle): softirq work on
  /// top of the idle task is busy, and so is an idle function that was only called by other work.
  std::optional<Estimate> busy;
  std::optional<Estimate> idle;
  double whole = 0;              ///< whole_time(), with `busy`
  std::vector<Estimate> events;  ///< by event index; those that were counted only have no samples
};

/// All of a CPU's time, of its row of cpu-clock: also that in which the timer was silent, which is in no
/// path.
double whole_time(const CpuCost& clock);

std::vector<CpuShare> cpu_shares(const std::vector<Event>& events, const CostTable& cost);

/// How busy a CPU was: "busy" from 90% on, "idle" below 10%, else "partly"; "" where it is not known, also
/// where half of its time has no sample.
std::string_view cpu_state(const CpuShare& cpu);

}  // namespace nettoll
