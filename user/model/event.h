// SPDX-License-Identifier: Apache-2.0
// What is sampled and counted by perf_event.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nettoll {

enum class EventUnit { count, nanoseconds };

/// One event that runs. Its place in Session::events is its index everywhere else.
struct Event {
  /// As a person names it: "cycles", "cpu-clock", "r01c4".
  std::string name;
  EventUnit unit = EventUnit::count;
  /// Counts and samples kernel mode alone (perf's ":k"). The wall-clock baseline counts everything instead,
  /// because the total of cpu-clock cannot be split by mode: perf advances it by time, whatever runs.
  bool kernel_only = true;
  /// A timer stands in for a hardware event: it is blind inside sections with interrupts off, whose time is
  /// found at the instruction that enables them again.
  bool timer = false;
  /// Samples a second a CPU, or 0 when `period` rules.
  uint64_t frequency = 0;
  /// Events a sample, or 0 when `frequency` rules.
  uint64_t period = 0;
  /// Whether samples came with their callers. Without them nobody knows what a function cost with all that it
  /// called, nor which path the sample belongs to.
  bool chains = true;

  bool operator==(const Event&) const = default;
};

/// An event that was asked for and does not run here.
struct MissingEvent {
  std::string name;
  /// Why, and what would help: a person's sentence.
  std::string reason;

  bool operator==(const MissingEvent&) const = default;
};

/// The exact count of one event on one CPU over the window, as read from its own descriptor, with the times
/// that say how long it was wanted and how long it had a hardware counter (perf_event_open(2),
/// PERF_FORMAT_TOTAL_TIME_*).
struct EventCount {
  uint32_t event = 0;
  uint32_t cpu = 0;
  uint64_t value = 0;
  uint64_t enabled_ns = 0;
  uint64_t running_ns = 0;
  /// Standard error, in events, of the value scaled up by enabled/running: 0 where it ran all the time, empty
  /// where it is not known.
  std::optional<double> scaling_error;

  bool operator==(const EventCount&) const = default;
};

/// Samples of one event on one CPU with the same call stack.
struct StackSamples {
  uint32_t event = 0;
  uint32_t cpu = 0;
  /// Index into the stack table beside it.
  uint32_t stack = 0;
  uint32_t samples = 0;
  /// The sum of the samples' periods.
  uint64_t period = 0;

  bool operator==(const StackSamples&) const = default;
};

}  // namespace nettoll
