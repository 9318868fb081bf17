// SPDX-License-Identifier: Apache-2.0
// How long the kernel kept an event from counting because it interrupted too often.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace nettoll {

/// Follows the records of one event; times are CLOCK_MONOTONIC. PERF_RECORD_THROTTLE comes before the sample
/// of the interrupt that was one too many (__perf_event_account_interrupt in kernel/events/core.c). Records
/// may be lost in a full ring, so that a second sample ends the time too: only an event that runs again has
/// one.
class ThrottleClock {
 public:
  void throttle(uint64_t time_ns) {
    since_ = time_ns;
    samples_ = 0;
  }
  void unthrottle(uint64_t time_ns) {
    if (since_) sum_ns_ += from(time_ns);
    since_.reset();
  }
  void sample(uint64_t time_ns) {
    if (since_ && ++samples_ > 1) unthrottle(time_ns);
  }

  /// All of it up to `now_ns`.
  uint64_t throttled_ns(uint64_t now_ns) const { return sum_ns_ + (since_ ? from(now_ns) : 0); }

 private:
  uint64_t from(uint64_t time_ns) const { return time_ns - std::min(time_ns, *since_); }

  uint64_t sum_ns_ = 0;
  std::optional<uint64_t> since_;
  uint32_t samples_ = 0;
};

}  // namespace nettoll
