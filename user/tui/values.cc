// SPDX-License-Identifier: Apache-2.0
#include "tui/values.h"

#include "report/format.h"

namespace nettoll::tui {

Value missing() {
  return {kMissing, NAN};
}

Value text_value(std::string text) {
  return {or_missing(text), NAN};
}

Value rate_value(double count, uint64_t window_ns) {
  if (window_ns == 0) return missing();
  const double rate = count * 1e9 / static_cast<double>(window_ns);
  return {format_quantity(rate), rate};
}

Value rate_value(const std::optional<uint64_t>& count, uint64_t window_ns) {
  return count ? rate_value(static_cast<double>(*count), window_ns) : missing();
}

Value count_value(uint64_t count) {
  return {format_count(count), static_cast<double>(count)};
}

Value part_value(double part) {
  return {format_percent(part), part};
}

Value share_value(const std::optional<Ratio>& share) {
  return {format_share(share), share ? share->value : NAN};
}

Value error_value(const Estimate& estimate) {
  return {format_error(estimate), estimate.samples ? estimate.relative_error() : NAN};
}

Value ratio_value(const std::optional<Ratio>& ratio) {
  return {format_ratio(ratio), ratio ? ratio->value : NAN};
}

Value rate_value(EventUnit unit, const Estimate& estimate, uint64_t window_ns) {
  if (window_ns == 0 || estimate.samples == 0) return missing();
  const double scale = 1e9 / static_cast<double>(window_ns);
  return {format_estimate(unit, {estimate.value * scale, estimate.samples}), estimate.value * scale};
}

Value per_value(EventUnit unit, const std::optional<double>& value, const Estimate& source) {
  return {format_per(unit, value, source), value.value_or(NAN)};
}

}  // namespace nettoll::tui
