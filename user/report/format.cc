// SPDX-License-Identifier: Apache-2.0
#include "report/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace nettoll {
namespace {

/// From here on a number rounds to four digits and belongs to the next larger unit.
constexpr double kNextUnit = 999.5;

/// A number below kNextUnit in three digits; below 1 with three places.
std::string three_digits(double value) {
  if (value == 0) return "0";
  if (value < 0.0005) return "<0.001";
  const int places = value < 0.9995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, places);
}

std::string marked(std::string text, bool too_few) {
  return too_few ? "~" + text : text;
}

}  // namespace

std::string format_quantity(double value) {
  constexpr std::array<const char*, 6> kUnits{"", "k", "M", "G", "T", "P"};
  size_t unit = 0;
  while (value >= kNextUnit && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return three_digits(value) + kUnits[unit];
}

std::string format_time(double ns) {
  constexpr std::array<const char*, 4> kUnits{" ns", " us", " ms", " s"};
  size_t unit = 0;
  while (ns >= kNextUnit && unit + 1 < kUnits.size()) {
    ns /= 1000;
    ++unit;
  }
  if (ns >= kNextUnit) return format_exact(static_cast<uint64_t>(std::llround(ns))) + kUnits[unit];
  return three_digits(ns) + kUnits[unit];
}

std::string format_amount(EventUnit unit, double value) {
  return unit == EventUnit::nanoseconds ? format_time(value) : format_quantity(value);
}

std::string format_exact(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t place = digits.size(); place > 3;) {
    place -= 3;
    digits.insert(place, ",");
  }
  return digits;
}

std::string format_count(uint64_t value) {
  return value < 10'000'000 ? format_exact(value) : format_quantity(static_cast<double>(value));
}

std::string format_count(const std::optional<uint64_t>& value) {
  return value ? format_count(*value) : kMissing;
}

std::string or_missing(const std::string& text) {
  return text.empty() ? kMissing : text;
}

std::string format_percent(double part) {
  const double percent = part * 100;
  if (percent == 0) return "0%";
  if (percent < 0.01) return "<0.01%";
  const int places = percent < 9.995 ? 2 : percent < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}%", percent, places);
}

std::string format_error(double relative) {
  if (!std::isfinite(relative)) return kMissing;
  const double percent = relative * 100;
  return percent < 0.95 ? fmt::format("±{:.1f}%", percent) : fmt::format("±{:.0f}%", percent);
}

std::string format_estimate(EventUnit unit, const Estimate& estimate) {
  if (estimate.samples == 0) return kMissing;
  return marked(format_amount(unit, estimate.value), estimate.too_few());
}

std::string format_error(const Estimate& estimate) {
  return format_error(estimate.relative_error());
}

std::string format_per(EventUnit unit, const std::optional<double>& value, const Estimate& source) {
  if (!value) return kMissing;
  return marked(format_amount(unit, *value), source.too_few());
}

std::string format_ratio(const std::optional<Ratio>& ratio) {
  return ratio ? marked(format_quantity(ratio->value), ratio->too_few) : kMissing;
}

std::string format_share(const std::optional<Ratio>& ratio) {
  return ratio ? marked(format_percent(ratio->value), ratio->too_few) : kMissing;
}

}  // namespace nettoll
