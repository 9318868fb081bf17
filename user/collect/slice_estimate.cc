// SPDX-License-Identifier: Apache-2.0
#include "collect/slice_estimate.h"

#include <algorithm>
#include <cmath>

namespace nettoll {

SliceEstimate::Pending& SliceEstimate::pending(uint32_t function) {
  if (function >= pending_.size()) pending_.resize(function + 1);
  return pending_[function];
}

void SliceEstimate::add_slice(std::span<const uint32_t> functions, const std::vector<uint64_t>& calls,
                              uint64_t packets) {
  for (const uint32_t function : functions) {
    Pending& sum = pending(function);
    sum.calls += calls[function];
    sum.slice_packets += packets;
  }
}

std::vector<SliceEstimate::Calls> SliceEstimate::take() {
  std::vector<Calls> estimates;
  for (uint32_t function = 0; function < pending_.size(); ++function) {
    Pending& sum = pending_[function];
    if (sum.slice_packets == 0) continue;
    const double scale = static_cast<double>(packets_ - sum.since) / static_cast<double>(sum.slice_packets);
    estimates.push_back({function, static_cast<double>(sum.calls) * scale, sum.calls});
    sum = {.since = packets_};
  }
  return estimates;
}

void SliceEstimate::restart(uint32_t function) {
  pending(function) = {.since = packets_};
}

std::chrono::nanoseconds slice_offset(uint64_t n, std::chrono::nanoseconds interval,
                                      std::chrono::nanoseconds slice) {
  // Multiples of the golden ratio leave no part of the interval out for long (Weyl's sequence).
  constexpr double kGoldenRatio = 0.6180339887498949;
  double whole = 0;
  const double part = std::modf(static_cast<double>(n) * kGoldenRatio, &whole);
  const auto room = std::max(interval - slice, std::chrono::nanoseconds(0));
  return std::chrono::nanoseconds(static_cast<int64_t>(part * static_cast<double>(room.count())));
}

}  // namespace nettoll
