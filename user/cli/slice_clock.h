// SPDX-License-Identifier: Apache-2.0
// When slices of counting begin and end.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

#include "collect/slice_estimate.h"

namespace nettoll {

/// One slice in each interval. Pure: it is told the time.
class SliceClock {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Step { none, begin, end };

  /// An interval began.
  void begin_interval(Clock::time_point now, std::chrono::nanoseconds interval) {
    length_ = slice_length(interval);
    // One that is open ends when it would have.
    if (!open_) next_ = now + slice_offset(number_++, interval, length_);
  }
  /// What is to be done now.
  Step step(Clock::time_point now) {
    if (now < next_) return Step::none;
    next_ = Clock::time_point::max();
    return std::exchange(open_, !open_) ? Step::end : Step::begin;
  }
  /// The slice began, and is to be as long from now on as all are.
  void begun(Clock::time_point now) { next_ = now + length_; }
  /// When there is something to be done next.
  Clock::time_point next() const { return next_; }

 private:
  uint64_t number_ = 0;
  std::chrono::nanoseconds length_{0};
  Clock::time_point next_ = Clock::time_point::max();
  bool open_ = false;
};

}  // namespace nettoll
