// SPDX-License-Identifier: Apache-2.0
// Arithmetic of exact mode: what the kernel side counted becomes mean, error and quantiles. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "bpf/shared.h"

namespace nettoll {

/// Sums of one measure of one function over some CPUs and some time. They can be added and subtracted.
struct ExactSums {
  uint64_t n = 0;
  uint64_t sum = 0;  ///< of the differences between exit and entry, own cost included
  uint64_t squares_low = 0;
  uint64_t squares_high = 0;  ///< in units of 2^32
  uint64_t below = 0;
  uint64_t unreadable = 0;
  uint64_t inside = 0;                               ///< cost of other probes in between, not in `sum`
  std::array<uint64_t, NT_EXACT_BUCKETS> buckets{};  ///< of differences without the own cost

  void add(const nt_exact_cell& cell);
  ExactSums minus(const ExactSums& earlier) const;
  bool operator==(const ExactSums&) const = default;
};

/// The smallest and the largest value of a bucket (nt_exact_bucket() in bpf/shared.h).
struct ValueRange {
  uint64_t low = 0;
  uint64_t high = 0;
};
ValueRange exact_bucket_range(uint32_t bucket);

/// The smallest value that at least a part `q` of all values do not pass, as the middle of its bucket: right
/// to 1/32, and exactly so below 16. Empty where there is no value.
std::optional<double> exact_quantile(const std::array<uint64_t, NT_EXACT_BUCKETS>& buckets, double q);

/// Mean without the own cost, at least 0, and its standard error: the root of the sample variance by n; 0 for
/// a single value. Empty where there is no value.
struct MeanOfCalls {
  double mean = 0;
  double std_error = 0;
};
std::optional<MeanOfCalls> exact_mean(const ExactSums& sums, uint64_t own_cost);

/// The own cost that calibration runs measured: their median, so that interrupts in some runs do not matter;
/// the lower one of the two in the middle. Empty for fewer than kLeastTrials runs.
inline constexpr size_t kLeastTrials = 100;
std::optional<uint64_t> own_cost_of(std::vector<uint64_t> trials);

/// Whether the counter stood still: every pair of readings was the same, though calibration saw the probes
/// themselves count. Some PMUs answer so (riscv64 in an emulator); such zeros were not measured.
bool stood_still(const ExactSums& sums, uint64_t own_cost);

/// What a pair of probes adds to a function that its own function runs in: by how much the medians of trials
/// with and without it differ, at least 0. Empty where one is.
std::optional<uint64_t> cost_inside(std::optional<uint64_t> with, std::optional<uint64_t> without);

/// Whether a function whose median is `median`, own cost taken off, is shorter than the probes themselves.
bool is_below_probe_cost(double median, uint64_t own_cost);

}  // namespace nettoll
