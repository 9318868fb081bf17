// SPDX-License-Identifier: Apache-2.0
// Parts of a whole, both estimated from samples, with their error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/stack_cost.h"

namespace nettoll {

/// An amount of events, with what the error of a share of it needs.
struct SampleSum {
  double value = 0;
  double squares = 0;  ///< see StackCost::squares
  uint64_t samples = 0;

  void add(const StackCost& row);
  void add(const SampleSum& other);
};

struct Share {
  double part = 0;       ///< of 1
  double error = 0;      ///< its standard error, of 1 too
  uint64_t samples = 0;  ///< of the part
  uint64_t of = 0;       ///< of the whole
};

/// `part` must be among `whole`. Empty where either has no sample. The error is that of a proportion of
/// independent samples; where they weigh differently, each counts by its weight.
std::optional<Share> share_of(const SampleSum& part, const SampleSum& whole);

/// True where the share's error bar (limit::kErrorBar) stays above the limit and it has enough
/// samples to have one.
bool surely_from(const std::optional<Share>& share, double from);

/// "34%", "2.3%".
std::string percent_text(double part);

}  // namespace nettoll
