// SPDX-License-Identifier: Apache-2.0
// What a reader should take away from a report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/cost_table.h"
#include "model/profile.h"
#include "report/chain_report.h"
#include "report/places.h"
#include "report/trust.h"

namespace nettoll {

/// Of the first event that was sampled.
struct Summary {
  uint32_t event = 0;
  double total = 0;
  Verdict verdict;
  Estimate idle;              ///< by stacks; places and functions below are without it
  std::vector<Place> places;  ///< that had 5% at least, five at most; `events` has this event alone
  struct Hot {
    const FunctionCost* function = nullptr;
    Estimate self;
    /// Where it is called from; no more than the function itself where callers differ or are not known.
    MainChain chain;
  };
  /// By own cost outside of idle time: those of 1% at least, and five in any case, ten at most.
  std::vector<Hot> hot;
};

/// Empty where nothing was sampled. Points into `cost`.
std::optional<Summary> summary_of(const Profile& profile, const CostTable& cost);

}  // namespace nettoll
