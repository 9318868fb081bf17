// SPDX-License-Identifier: Apache-2.0
#include "collect/slice_estimate.h"

#include <algorithm>
#include <cmath>

namespace nettoll {

void SliceEstimate::add_slice(const std::vector<uint64_t>& calls, uint64_t packets) {
  calls_.resize(std::max(calls_.size(), calls.size()));
  for (size_t i = 0; i < calls.size(); ++i) calls_[i] += calls[i];
  slice_packets_ += packets;
}

std::vector<SliceEstimate::Calls> SliceEstimate::take() {
  std::vector<Calls> estimates;
  if (slice_packets_ == 0) return estimates;
  const double scale = static_cast<double>(packets_) / static_cast<double>(slice_packets_);
  for (const uint64_t calls : calls_) estimates.push_back({static_cast<double>(calls) * scale, calls});
  *this = {};
  return estimates;
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
