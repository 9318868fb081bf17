// SPDX-License-Identifier: Apache-2.0
// Numbers derived from two estimates. They stand in the model because every output shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/cost_table.h"
#include "model/event.h"

namespace nettoll {

/// A quotient with its relative standard error. The errors of both sides are combined by the root of the sum
/// of their squares, which takes them as independent; for a part of a whole this is on the safe side.
struct Ratio {
  double value = 0;
  double relative_error = 0;
  bool too_few = false;  ///< either side has fewer samples than Estimate::kEnough

  bool operator==(const Ratio&) const = default;
};

/// Which events of a session the derived numbers need; empty where the session lacks one.
struct EventRoles {
  std::optional<uint32_t> cycles;
  std::optional<uint32_t> instructions;  ///< of the same PMU as `cycles`
  /// The wall-clock baseline, in nanoseconds.
  std::optional<uint32_t> cpu_clock;
  /// Every event whose name ends in "misses", of the same PMU as `instructions`.
  std::vector<uint32_t> misses;
};

/// Finds them by name, as role_of() understands it. On hybrid CPUs, where each PMU counts its own CPUs alone,
/// those of the first PMU belong together.
EventRoles roles_of(const std::vector<Event>& events);

/// part / whole; empty where either has no sample or the whole is 0.
std::optional<Ratio> ratio_of(const Estimate& part, const Estimate& whole);

/// part / an exact count: the part's error alone. Empty where the part has no sample or the count is 0.
std::optional<Ratio> ratio_of(const Estimate& part, double exact_whole);

/// Instructions per cycle. `by_event` is indexed as the session's events are.
std::optional<Ratio> instructions_per_cycle(const EventRoles& roles, std::span<const Estimate> by_event);

/// Events of `misses` per thousand instructions.
std::optional<Ratio> per_thousand_instructions(const EventRoles& roles, std::span<const Estimate> by_event,
                                               uint32_t misses);

/// The part of an event's total (for cpu-clock: of all CPU time, idle included).
std::optional<Ratio> share_of_all(const CostTable& cost, uint32_t event, const Estimate& part);

/// The part of what all network paths together took.
std::optional<Ratio> share_of_network(const CostTable& cost, uint32_t event, const Estimate& part);

/// What all network paths took of an event.
Estimate network_total(const CostTable& cost, uint32_t event);

}  // namespace nettoll
