// SPDX-License-Identifier: Apache-2.0
#include "collect/exact_histogram.h"

#include <algorithm>
#include <cmath>

namespace nettoll {

void ExactSums::add(const nt_exact_cell& cell) {
  n += cell.n;
  sum += cell.sum;
  squares_low += cell.squares_low;
  squares_high += cell.squares_high;
  below += cell.below;
  unreadable += cell.unreadable;
  inside += cell.inside;
  for (size_t i = 0; i < buckets.size(); ++i) buckets[i] += cell.bucket[i];
}

ExactSums ExactSums::minus(const ExactSums& earlier) const {
  ExactSums rest = *this;
  rest.n -= earlier.n;
  rest.sum -= earlier.sum;
  rest.squares_low -= earlier.squares_low;
  rest.squares_high -= earlier.squares_high;
  rest.below -= earlier.below;
  rest.unreadable -= earlier.unreadable;
  rest.inside -= earlier.inside;
  for (size_t i = 0; i < buckets.size(); ++i) rest.buckets[i] -= earlier.buckets[i];
  return rest;
}

ValueRange exact_bucket_range(uint32_t bucket) {
  constexpr uint32_t kSub = 1 << NT_EXACT_SUB_BITS;
  if (bucket < kSub) return {bucket, bucket};
  const uint32_t shift = bucket / kSub - 1;
  const uint64_t low = uint64_t{bucket - shift * kSub} << shift;
  return {low, low + (uint64_t{1} << shift) - 1};
}

std::optional<double> exact_quantile(const std::array<uint64_t, NT_EXACT_BUCKETS>& buckets, double q) {
  uint64_t total = 0;
  for (const uint64_t count : buckets) total += count;
  if (total == 0) return std::nullopt;
  const auto rank =
      std::clamp<uint64_t>(static_cast<uint64_t>(std::ceil(q * static_cast<double>(total))), 1, total);
  uint64_t seen = 0;
  uint32_t bucket = 0;
  for (; bucket + 1 < buckets.size(); ++bucket) {
    seen += buckets[bucket];
    if (seen >= rank) break;
  }
  const ValueRange range = exact_bucket_range(bucket);
  return (static_cast<double>(range.low) + static_cast<double>(range.high)) / 2;
}

std::optional<MeanOfCalls> exact_mean(const ExactSums& sums, uint64_t own_cost) {
  if (sums.n == 0) return std::nullopt;
  // The variance is a small difference of large numbers.
  const auto n = static_cast<long double>(sums.n);
  const auto sum = static_cast<long double>(sums.sum);
  const long double squares = static_cast<long double>(sums.squares_high) * 4294967296.0L +
                              static_cast<long double>(sums.squares_low);
  MeanOfCalls result;
  result.mean = static_cast<double>(std::max(0.0L, sum / n - static_cast<long double>(own_cost)));
  if (sums.n > 1) {
    const long double variance = std::max(0.0L, (squares - sum * sum / n) / (n - 1));
    result.std_error = static_cast<double>(std::sqrt(variance / n));
  }
  return result;
}

std::optional<uint64_t> own_cost_of(std::vector<uint64_t> trials) {
  if (trials.size() < kLeastTrials) return std::nullopt;
  const auto middle = trials.begin() + static_cast<std::ptrdiff_t>((trials.size() - 1) / 2);
  std::nth_element(trials.begin(), middle, trials.end());
  return *middle;
}

bool stood_still(const ExactSums& sums, uint64_t own_cost) {
  return sums.n > 0 && sums.sum == 0 && own_cost > 0;
}

std::optional<uint64_t> cost_inside(std::optional<uint64_t> with, std::optional<uint64_t> without) {
  if (!with || !without) return std::nullopt;
  return *with > *without ? *with - *without : 0;
}

bool is_below_probe_cost(double median, uint64_t own_cost) {
  return median < static_cast<double>(own_cost);
}

}  // namespace nettoll
