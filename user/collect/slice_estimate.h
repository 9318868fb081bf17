// SPDX-License-Identifier: Apache-2.0
// Calls of all the time from those of slices of it. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace nettoll {

/// Adds up slices, and all packets, until they make an estimate of a function: calls a packet in its slices
/// times the packets. Taken as independent of each other, n calls and m packets of slices are off by the
/// square root of n and m, so that the estimate has a relative standard error of sqrt(1/n + 1/m). What
/// differs between the slices and the rest of the time, as when other traffic comes for a moment, is not in
/// it.
class SliceEstimate {
 public:
  struct Calls {
    uint32_t function = 0;
    double calls = 0;
    uint64_t seen = 0;

    bool operator==(const Calls&) const = default;
  };

  /// `packets` more passed, in slices or not.
  void add_packets(uint64_t packets) { packets_ += packets; }
  /// A slice of `functions` ended; `calls` is by function, of all.
  void add_slice(std::span<const uint32_t> functions, const std::vector<uint64_t>& calls, uint64_t packets);

  /// The estimates for what was added since each function's last one. A function whose slices saw no packet,
  /// or that had none, has no estimate yet: what was added waits for one that does.
  std::vector<Calls> take();
  /// Forgets what waits of `function`, which is another one from now on.
  void restart(uint32_t function);

 private:
  struct Pending {
    uint64_t calls = 0;
    uint64_t slice_packets = 0;
    uint64_t since = 0;  ///< packets_ at the last estimate
  };
  Pending& pending(uint32_t function);

  std::vector<Pending> pending_;  ///< by function
  uint64_t packets_ = 0;
};

/// When the slice of interval number `n` begins, after the interval did: at another place each time, spread
/// evenly, so that it does not meet traffic that comes at regular times always or never.
std::chrono::nanoseconds slice_offset(uint64_t n, std::chrono::nanoseconds interval,
                                      std::chrono::nanoseconds slice);

/// How long a slice is: a twentieth of the interval.
inline constexpr std::chrono::nanoseconds slice_length(std::chrono::nanoseconds interval) {
  return interval / 20;
}

}  // namespace nettoll
