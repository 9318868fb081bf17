// SPDX-License-Identifier: Apache-2.0
// What an event is, by its name. The one place that knows how perf spells events.
#pragma once

#include <cstdint>
#include <string_view>

namespace nettoll {

/// The parts of a name as perf and people write it (perf-list(1)): "cpu_core/cycles/k" is the event cycles of
/// the PMU cpu_core with the modifier k. Views live as long as the name.
struct EventName {
  std::string_view pmu;   ///< "" where none is named
  std::string_view base;  ///< without terms: "cycles" of "cpu/cycles,period=9/"; of a tracepoint the whole
  std::string_view modifiers;  ///< "ppp" of "cycles:ppp"

  bool operator==(const EventName&) const = default;
};

EventName parts_of_event(std::string_view name);

/// The name without its modifiers: "cycles" of "cycles:k", "cpu_core/cycles/" of "cpu_core/cycles/k".
std::string_view without_modifiers(std::string_view name);

/// What an event counts, as far as others reckon with it.
enum class EventRole : uint8_t {
  other,
  cycles,
  instructions,
  cache_misses,
  branch_misses,
  cpu_clock,
  task_clock
};

/// The role of an event in whatever PMU and modes. perf's aliases count too.
EventRole role_of(std::string_view name);

/// Whether it counts time, and its samples come from a timer.
inline bool is_clock(EventRole role) {
  return role == EventRole::cpu_clock || role == EventRole::task_clock;
}

}  // namespace nettoll
