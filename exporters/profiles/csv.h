// SPDX-License-Identifier: Apache-2.0
// The functions as a table for spreadsheets and scripts.
#pragma once

#include <cstdint>
#include <span>

#include "base/byte_sink.h"
#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll {

/// Writes RFC 4180: a head, then a row for each function in the order of the table. Columns: function,
/// module, kind, calls, method, condition, and for each of `events` self, inclusive, both with samples and
/// relative error, shares of the event's total, and what a call takes. Numbers are not rounded; what was not
/// measured is empty.
Status write_csv(const Profile& profile, const CostTable& cost, std::span<const uint32_t> events,
                 ByteSink& sink);

}  // namespace nettoll
