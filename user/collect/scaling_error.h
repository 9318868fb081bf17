// SPDX-License-Identifier: Apache-2.0
// How far a count may be off that was scaled up for the time without a hardware counter.
#pragma once

#include <cstddef>
#include <optional>

#include "collect/perf_event_fd.h"

namespace nettoll {

/// Looks at one event in slices of its window. The kernel gives a shared counter away every few milliseconds
/// (perf_event_mux_interval_ms), so each slice is a sample of the rates in it, and what slices differ by
/// tells how well such samples agree. Only slices that follow one another are compared (the successive
/// difference estimator of systematic sampling), so that traffic which slowly comes and goes is no error.
class ScalingError {
 public:
  /// Slices below which nothing is said.
  static constexpr size_t kFewest = 5;

  /// What the event counted in a slice, and its times. One without a counter in it says nothing.
  void add(const PerfReading& slice);

  /// The standard error, in events, of `window.value` scaled by enabled/running: 0 if it ran all the time,
  /// empty if it never ran or there were too few slices.
  std::optional<double> of(const PerfReading& window) const;

 private:
  struct Slice {
    double value = 0;
    double running = 0;
  };
  std::optional<Slice> last_;
  size_t slices_ = 0;
  // Sums over neighbours of the products of their differences.
  double value_value_ = 0;
  double value_running_ = 0;
  double running_running_ = 0;
};

}  // namespace nettoll
