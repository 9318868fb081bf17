// SPDX-License-Identifier: Apache-2.0
#include "correlate/significance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/cost_table.h"

namespace nettoll {
namespace {

/// Both sides together, weighed by their samples: the cost if it was the same.
double common_cost(const SampledCost& a, const SampledCost& b) {
  const double samples = static_cast<double>(a.samples) + static_cast<double>(b.samples);
  return samples / (1 / a.per_sample + 1 / b.per_sample);
}

/// Pairs that can tell the spread: beyond these, chance hides it.
constexpr size_t kMostPairs = 40;
/// The median of the absolute value of a normal deviate.
constexpr double kMedianDeviate = 0.67449;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double median_deviate(std::span<const SampledPair> pairs, double spread) {
  std::vector<double> deviates;
  for (const SampledPair& pair : pairs) {
    const auto error = error_of_difference(pair.a, pair.b, spread);
    if (error) deviates.push_back(std::abs(pair.b.value - pair.a.value) / *error);
  }
  return deviates.empty() ? 0 : median(std::move(deviates));
}

}  // namespace

std::optional<double> error_of_difference(const SampledCost& a, const SampledCost& b, double spread) {
  if (a.samples + b.samples < kFewestSamples) return std::nullopt;
  if (!(a.per_sample > 0) || !(b.per_sample > 0)) return std::nullopt;
  const double common = common_cost(a, b);
  const double error = std::hypot(std::sqrt(common * (a.per_sample + b.per_sample)), spread * common);
  if (!std::isfinite(error) || !(error > 0)) return std::nullopt;
  return error;
}

double two_sided_p(double z) {
  return std::erfc(std::abs(z) / std::sqrt(2.0));
}

double two_sided_p(double t, double degrees_of_freedom) {
  const double n = degrees_of_freedom;
  if (!(n > 0)) return 1;
  if (!std::isfinite(n)) return two_sided_p(t);
  return two_sided_p((8 * n + 1) / (8 * n + 3) * std::sqrt(n * std::log1p(t * t / n)));
}

std::vector<double> false_discovery_rates(std::span<const double> p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t x, size_t y) { return p[x] < p[y]; });
  std::vector<double> q(p.size());
  double least = 1;
  for (size_t rank = order.size(); rank-- > 0;) {
    const double rate = p[order[rank]] * static_cast<double>(p.size()) / static_cast<double>(rank + 1);
    least = std::min(least, rate);
    q[order[rank]] = least;
  }
  return q;
}

double spread_of(std::span<const SampledPair> pairs) {
  std::vector<SampledPair> best;
  for (const SampledPair& pair : pairs) {
    if (pair.a.samples >= Estimate::kEnough && pair.b.samples >= Estimate::kEnough) best.push_back(pair);
  }
  if (best.size() < kFewestPairs) return 0;
  std::sort(best.begin(), best.end(), [](const SampledPair& x, const SampledPair& y) {
    return std::min(x.a.samples, x.b.samples) > std::min(y.a.samples, y.b.samples);
  });
  best.resize(std::min(best.size(), kMostPairs));

  double low = 0;
  double high = 4;  // more than any two costs can differ, as a part of the common one
  if (median_deviate(best, low) <= kMedianDeviate) return 0;
  for (int step = 0; step < 40; ++step) {
    const double middle = (low + high) / 2;
    (median_deviate(best, middle) > kMedianDeviate ? low : high) = middle;
  }
  return high;
}

}  // namespace nettoll
