// SPDX-License-Identifier: Apache-2.0
#include "base/near_names.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace nettoll {
namespace {

/// The number of single-letter edits between two words, letters compared without case; two neighbours that
/// changed places are one (optimal string alignment).
size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<size_t> above, row(b.size() + 1), before;
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(above, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// How many edits a name may be away. In a short one nearly every letter has to be right: "sctp" is no "tcp".
size_t edits_allowed(size_t length) {
  return length <= 4 ? 1 : std::max<size_t>(2, length / 3);
}

}  // namespace

std::vector<std::string> near_names(std::string_view name, std::vector<std::string> candidates) {
  constexpr size_t kMost = 5;
  const size_t allowed = edits_allowed(name.size());
  std::vector<std::pair<size_t, std::string>> near;
  for (auto& candidate : candidates) {
    size_t distance = edit_distance(name, candidate);
    // "misses" is far from "cache-misses" letter by letter, but most likely meant.
    if (name.size() >= 3 && candidate.find(name) != std::string::npos) distance = std::min(distance, allowed);
    // As many edits as letters turn any word into any other.
    if (distance <= allowed && distance < std::max(name.size(), candidate.size()))
      near.emplace_back(distance, std::move(candidate));
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> best;
  for (size_t i = 0; i < near.size() && i < kMost; ++i) best.push_back(std::move(near[i].second));
  return best;
}

std::string did_you_mean(std::string_view name, std::vector<std::string> candidates, std::string otherwise) {
  const auto near = near_names(name, std::move(candidates));
  return near.empty() ? std::move(otherwise) : fmt::format("did you mean {}?", fmt::join(near, ", "));
}

}  // namespace nettoll
