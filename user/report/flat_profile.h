// SPDX-License-Identifier: Apache-2.0
// Every function with its part of each event: what an analyst reads first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/cost_table.h"
#include "report/options.h"

namespace nettoll {

/// One function over all its paths.
struct FlatRow {
  const FunctionCost* function = nullptr;
  std::vector<Estimate> self;       ///< beside the events that were asked for
  std::vector<Estimate> inclusive;  ///< the same
};

/// Functions with samples of any of `events`, without those below the reader's percent limit: by own cost of
/// the first event, or by inclusive cost where the reader asks for children, then by the other, then by name.
std::vector<FlatRow> flat_profile(const CostTable& cost, std::span<const uint32_t> events,
                                  const ReportOptions& options);

/// Whether a function is in what the reader wants to see. Those without any sample are, where there is no
/// limit.
bool reaches_limit(const FunctionCost& function, const CostTable& cost, const ReportOptions& options);

}  // namespace nettoll
