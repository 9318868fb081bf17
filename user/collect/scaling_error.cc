// SPDX-License-Identifier: Apache-2.0
#include "collect/scaling_error.h"

#include <algorithm>
#include <cmath>

namespace nettoll {

void ScalingError::add(const PerfReading& slice) {
  if (slice.running_ns == 0) return;
  const Slice now{static_cast<double>(slice.value), static_cast<double>(slice.running_ns)};
  if (last_) {
    const double value = now.value - last_->value;
    const double running = now.running - last_->running;
    value_value_ += value * value;
    value_running_ += value * running;
    running_running_ += running * running;
  }
  last_ = now;
  ++slices_;
}

// With the window's rate R, a slice is v - R*r away from what was expected of it. Half the mean square of the
// differences of neighbours is the variance of one; the sum over n slices has n times that. It is scaled like
// the count, and shrinks with the part of the time that was not seen (the finite population correction).
std::optional<double> ScalingError::of(const PerfReading& window) const {
  if (window.running_ns >= window.enabled_ns) return 0;
  if (window.running_ns == 0 || slices_ < kFewest) return std::nullopt;
  const auto running = static_cast<double>(window.running_ns);
  const double seen = running / static_cast<double>(window.enabled_ns);
  const double rate = static_cast<double>(window.value) / running;
  const double squares = value_value_ - 2 * rate * value_running_ + rate * rate * running_running_;
  const auto n = static_cast<double>(slices_);
  const double variance = n * std::max(0.0, squares) / (2 * (n - 1)) * (1 - seen);
  return std::sqrt(variance) / seen;
}

}  // namespace nettoll
