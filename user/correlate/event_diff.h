// SPDX-License-Identifier: Apache-2.0
// One event of two windows against each other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "correlate/compared_names.h"
#include "correlate/diff.h"
#include "correlate/function_match.h"

namespace nettoll {

/// What is the same for all events of a comparison.
struct EventDiffContext {
  const DiffInput& a;
  const DiffInput& b;
  DiffDivisors divisors;
  std::vector<Path> paths;
  std::vector<std::string> functions;
  std::vector<MatchedFunction> matches;  ///< of the cost tables' functions
  const ComparedNames& names;
  bool paths_compare = true;
};

/// What the costs of an event are divided by, other than by calls: packets, seconds or the event's total.
double divisor_of(const DiffInput& input, uint32_t event, const DiffDivisors& divisors);

EventDiff diff_event(const EventDiffContext& context, const CommonEvent& event);

/// Whether a function was asked for as `name`: suffixes of the compiler may be left out.
bool is_named(const Symbol& symbol, std::string_view name);

/// Whether the calls of a function were counted alike on both sides, so that its costs a call compare.
bool calls_compare(const FunctionCost& a, const FunctionCost& b);

}  // namespace nettoll
