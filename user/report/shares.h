// SPDX-License-Identifier: Apache-2.0
// Parts of an event as perf report prints them, so that both tools' tables can be compared digit by digit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/cost_table.h"

namespace nettoll {

/// "12.34%": a part of a total. "-" where there is no sample of it, "~" before it where there are too few.
std::string format_part(const Estimate& part, double total);

/// Percent of an event's total; 0 where that is 0.
double percent_of(double part, double total);

/// Events that have samples: what can be shared out.
std::vector<uint32_t> sampled_events(const CostTable& cost);

}  // namespace nettoll
