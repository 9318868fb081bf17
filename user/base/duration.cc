// SPDX-License-Identifier: Apache-2.0
#include "base/duration.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace nettoll {
namespace {

std::optional<double> unit_ns(std::string_view unit) {
  if (unit == "ms") return 1e6;
  if (unit.empty() || unit == "s") return 1e9;
  if (unit == "m") return 60e9;
  if (unit == "h") return 3600e9;
  return std::nullopt;
}

Error bad(std::string_view text, std::string_view why) {
  return usage_error(fmt::format("'{}' is not a duration: {}", text, why),
                     "write a number of seconds, or one with ms, s, m or h, such as 500ms");
}

}  // namespace

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  // from_chars() would take "inf" and "-1" too.
  if (text.empty() || text[0] < '0' || text[0] > '9') return bad(text, "it does not begin with a digit");
  double number = 0;
  const auto [end, ec] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const auto unit = unit_ns(text.substr(static_cast<size_t>(end - text.data())));
  if (!unit) return bad(text, "the unit is unknown");
  constexpr double kMaxNs = 9.2e18;
  if (ec == std::errc::result_out_of_range || number * *unit > kMaxNs)
    return bad(text, "it is over 292 years");
  const auto ns = std::llround(number * *unit);
  if (ec != std::errc() || ns == 0) return bad(text, "it is zero");
  return std::chrono::nanoseconds(ns);
}

}  // namespace nettoll
