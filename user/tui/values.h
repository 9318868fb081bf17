// SPDX-License-Identifier: Apache-2.0
// Cells of lists, as report/format.h writes numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/cost_table.h"
#include "model/event.h"
#include "model/ratios.h"
#include "tui/pane_table.h"

namespace nettoll::tui {

/// Nothing was measured: "-".
Value missing();
Value text_value(std::string text);
/// Counted over `window_ns`: by the second.
Value rate_value(double count, uint64_t window_ns);
Value rate_value(const std::optional<uint64_t>& count, uint64_t window_ns);
/// An exact count.
Value count_value(uint64_t count);
/// A part of 1, exact.
Value part_value(double part);
/// A share that was estimated; its relative error.
Value share_value(const std::optional<Ratio>& share);
Value error_value(const Estimate& estimate);
/// A quotient without a unit, such as instructions per cycle.
Value ratio_value(const std::optional<Ratio>& ratio);
/// An amount of an event by the second.
Value rate_value(EventUnit unit, const Estimate& estimate, uint64_t window_ns);
/// A cost per call or packet.
Value per_value(EventUnit unit, const std::optional<double>& value, const Estimate& source);

}  // namespace nettoll::tui
