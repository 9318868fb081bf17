// SPDX-License-Identifier: Apache-2.0
#include "base/near_names.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace nettoll {
namespace {

/// The number of single-letter edits between two words, letters compared without case (Levenshtein).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                        std::tolower(static_cast<unsigned char>(b[j - 1]));
      const size_t best = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (same ? 0 : 1)});
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> near_names(std::string_view name, std::vector<std::string> candidates) {
  constexpr size_t kMost = 5;
  const size_t allowed = std::max<size_t>(2, name.size() / 3);
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
