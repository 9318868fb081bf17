// SPDX-License-Identifier: Apache-2.0
// Numbers as a person reads them: three digits that mean something, and a unit. The only place that rounds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/cost_table.h"
#include "model/event.h"
#include "model/ratios.h"

namespace nettoll {

/// What stands where nothing was measured.
inline constexpr const char* kMissing = "-";

/// 0.012, 1.23, 12.3, 123, 1.23k, 12.3M, ... up to P.
std::string format_quantity(double value);

/// A time given in nanoseconds: "123 ns", "1.23 us", "12.3 ms", "1.23 s", "1,234 s".
std::string format_time(double ns);

/// An amount of an event in its unit.
std::string format_amount(EventUnit unit, double value);

/// An exact count, every digit: "1,234,567".
std::string format_exact(uint64_t value);

/// An exact count in a column: every digit up to 9,999,999, then as a quantity.
std::string format_count(uint64_t value);

/// The same where it was counted, else "-".
std::string format_count(const std::optional<uint64_t>& value);

/// A text, or "-" for an empty one.
std::string or_missing(const std::string& text);

/// A part of 1 as "12.3%"; "<0.01%" below that.
std::string format_percent(double part);

/// A relative error as "±4%"; "-" where it is infinite.
std::string format_error(double relative);

/// An estimate, with a "~" before it where it has too few samples; "-" where it has none.
std::string format_estimate(EventUnit unit, const Estimate& estimate);
/// Its error, "-" where it has no sample.
std::string format_error(const Estimate& estimate);

/// A quotient such as a cost per call, marked as the estimate that it came from.
std::string format_per(EventUnit unit, const std::optional<double>& value, const Estimate& source);

/// Ratios as a number and as a percentage; "-" where empty, "~" where of too few samples.
std::string format_ratio(const std::optional<Ratio>& ratio);
std::string format_share(const std::optional<Ratio>& ratio);

}  // namespace nettoll
