// SPDX-License-Identifier: Apache-2.0
// Two windows against each other. Pure arithmetic: no input or output, no clock.
//
// Every cost is divided by packets, calls, seconds or the event's total, so that windows of different length
// and load compare. A difference is significant if chance makes one like it in fewer cases than the false
// discovery rate allows for the whole table (Benjamini and Hochberg), and if it is not too small to matter.
//
// The error of a function's difference has two parts: that of sampling, 1/sqrt(n) on each side, and how far
// the typical function moved beyond that (spread_of): what slows all code alike, other load beside it or a
// slower host, is then said once, of the total, and not of every function.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "correlate/diff_basis.h"
#include "model/cost_diff.h"

namespace nettoll {

/// Share of false ones among the rows that are called significant.
inline constexpr double kFalseDiscoveryRate = 0.05;
/// A change of less than this part of the cost in A is never called significant,
inline constexpr double kLeastRelativeChange = 0.05;
/// nor one of less than this part of the total.
inline constexpr double kLeastPartOfTotal = 0.002;

struct DiffOptions {
  std::optional<DiffPer> per;
  std::vector<Path> paths;             ///< empty: default_paths()
  std::vector<std::string> functions;  ///< to be marked as named, compiler suffixes apart
};

/// Whether a side has sampled or counted a function, suffixes that compilers add apart.
bool has_function(const DiffInput& side, std::string_view name);

/// Fails where `options.per` asks for what a side does not have, or `options.paths` for paths that
/// cannot be told alike on both.
Result<CostDiff> diff_costs(const DiffInput& a, const DiffInput& b, const DiffOptions& options);

}  // namespace nettoll
