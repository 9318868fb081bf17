// SPDX-License-Identifier: Apache-2.0
// Whether two costs that were sampled differ by more than chance. Pure arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nettoll {

/// A cost that was estimated from samples.
struct SampledCost {
  double value = 0;      ///< per packet, call, second or total
  uint64_t samples = 0;  ///< that it came from
  /// What one sample is worth, on average: tells how much a side without a sample may have missed.
  double per_sample = 0;
};

/// Fewer samples than this on both sides together tell nothing.
inline constexpr uint64_t kFewestSamples = 16;

/// Standard error of b - a where both really cost the same: each side's number of samples varies as its
/// square root, and the cost itself from one window to the other by the part `spread`. Empty for too few
/// samples.
///
/// The common cost stands in for both sides (a score test), so that a side without any sample is judged too:
/// with n samples on the other, the difference is sqrt(n) errors.
std::optional<double> error_of_difference(const SampledCost& a, const SampledCost& b, double spread);

/// Probability of a normal deviate at least this far from 0.
double two_sided_p(double z);

/// The same of Student's t, by Wallace's approximation (Annals of Mathematical Statistics 30, 1959).
double two_sided_p(double t, double degrees_of_freedom);

/// Degrees of freedom of the t distribution that deviates are held against. That of sampling is normal, but
/// the rest of what moves a function from one recording of a load to the next has long tails: a neighbour
/// entry that is confirmed or stale, or where a task was placed, doubles a function or makes it vanish. Of 55
/// pairs of recordings of one load on a busy host, the normal distribution named functions in 42, with 6
/// degrees of freedom in 2, with 5 in none.
inline constexpr double kTailFreedom = 5;

/// Benjamini and Hochberg: for each p the smallest false discovery rate at which it is named.
std::vector<double> false_discovery_rates(std::span<const double> p);

/// A function in both windows.
struct SampledPair {
  SampledCost a;
  SampledCost b;
};

/// How far costs moved beyond what sampling explains, as a part of the cost, of the typical pair: with it
/// half of all deviations are below the median of a normal deviate. Looks at those with most samples, which
/// alone can tell. Less than half of them may really have changed without a lasting effect on it. Pairs with
/// a side that has too few samples do not count; 0 where fewer than kFewestPairs are left.
double spread_of(std::span<const SampledPair> pairs);

inline constexpr size_t kFewestPairs = 8;

}  // namespace nettoll
