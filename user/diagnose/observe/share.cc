// SPDX-License-Identifier: Apache-2.0
#include "diagnose/observe/share.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnose/observe/limits.h"

namespace nettoll {

void SampleSum::add(const StackCost& row) {
  value += row.cost.value;
  squares += row.squares;
  samples += row.cost.samples;
}

void SampleSum::add(const SampleSum& other) {
  value += other.value;
  squares += other.squares;
  samples += other.samples;
}

std::optional<Share> share_of(const SampleSum& part, const SampleSum& whole) {
  if (part.samples == 0 || !(whole.value > 0)) return std::nullopt;
  const double share = std::min(1.0, part.value / whole.value);
  // The error of a ratio of two sums over the same samples: those of the part pull it up by what the rest is,
  // the others down by what the part is.
  const double rest = std::max(0.0, whole.squares - part.squares);
  const double variance = (1 - share) * (1 - share) * part.squares + share * share * rest;
  return Share{share, std::sqrt(variance) / whole.value, part.samples, whole.samples};
}

bool surely_from(const std::optional<Share>& share, double from) {
  return share && share->samples >= Estimate::kEnough &&
         share->part - limit::kErrorBar * share->error >= from;
}

std::string percent_text(double part) {
  return part >= 0.1 ? fmt::format("{:.0f}%", 100 * part) : fmt::format("{:.2g}%", 100 * part);
}

}  // namespace nettoll
