// SPDX-License-Identifier: Apache-2.0
// Calls of all the time from those of slices of it. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace nettoll {

/// Adds up slices, and all packets, until they make an estimate: calls a packet in the slices times the
/// packets. Taken as independent of each other, n calls and m packets of slices are off by the square root of
/// n and m, so that the estimate has a relative standard error of sqrt(1/n + 1/m). What differs between the
/// slices and the rest of the time, as when other traffic comes for a moment, is not in it.
class SliceEstimate {
 public:
  struct Calls {
    double calls = 0;
    uint64_t seen = 0;
  };

  /// `packets` more passed, in slices or not.
  void add_packets(uint64_t packets) { packets_ += packets; }
  /// A slice ended; `calls` is by function, the same in each.
  void add_slice(const std::vector<uint64_t>& calls, uint64_t packets);

  /// The estimate for what was added since the last one. Empty while no slice saw a packet: then what was
  /// added waits for one that does.
  std::vector<Calls> take();

 private:
  std::vector<uint64_t> calls_;
  uint64_t slice_packets_ = 0;
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
