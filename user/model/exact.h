// SPDX-License-Identifier: Apache-2.0
// What one call of a function costs, measured at its entry and at its exit.
#pragma once

#include <cstdint>
#include <string>

#include "model/event.h"
#include "model/function.h"

namespace nettoll {

/// The name of the measure that is no event: the time from entry to exit.
inline constexpr const char* kExactTime = "time";

/// Measured calls that are in no number, by cause. All but `unreadable` are of the function, whatever the
/// measure.
struct ExactDiscards {
  uint64_t cpu_changed = 0;  ///< the call ended on another CPU, whose counters are others
  uint64_t switched = 0;     ///< its task was switched out, so that others ran in between
  uint64_t no_room = 0;      ///< too many calls were open at a time
  uint64_t missed = 0;       ///< the kernel skipped a program, because it was running on that CPU already
  uint64_t unreadable = 0;   ///< the event had no counter all the time, or could not be read

  bool operator==(const ExactDiscards&) const = default;
};

/// One measure of one function. All values are of a call from entry to exit, with the functions that it
/// called and the interrupts that came in between, and without the own cost of the probes where that is
/// known.
struct ExactCost {
  std::string function;
  std::string module;
  /// fentry: programs at the function's entry and exit. tracepoint: at the tracepoints around the handler.
  Method method = Method::fentry;
  std::string event = kExactTime;  ///< or the name of one of Session::events
  EventUnit unit = EventUnit::nanoseconds;
  uint64_t one_in = 1;  ///< one call in so many was measured, on average
  uint64_t calls = 0;   ///< that came by, measured or not
  uint64_t n = 0;       ///< measured calls; where it is 0 no value below means anything
  double mean = 0;
  /// Standard error of the mean, of chance alone; 0 where n is 1.
  double std_error = 0;
  /// Quantiles, to 1/32 of their value (see kExactQuantileError).
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  /// Whether the own cost is known. If not it is in the values.
  bool calibrated = false;
  double own_cost = 0;  ///< of a pair of probes, taken off each value
  /// Of probes at other functions that were called in between, on average; taken off too.
  double probes_inside = 0;
  uint64_t below_zero = 0;  ///< calls that measured less than the own cost; they count as 0 in quantiles
  /// The median is less than the own cost: the value says little more than that the function is short.
  bool below_probe_cost = false;
  ExactDiscards discards;

  bool operator==(const ExactCost&) const = default;
};

/// Largest relative error of a quantile that is not exact.
inline constexpr double kExactQuantileError = 1.0 / 32;

}  // namespace nettoll
