// SPDX-License-Identifier: Apache-2.0
#include "cli/counting_notes.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace nettoll {
namespace {

/// "a, b, c and 58 more": a pattern may match hundreds.
std::string shorten(std::vector<std::string> names) {
  constexpr size_t kListed = 3;
  if (names.size() <= kListed + 1) return fmt::format("{}", fmt::join(names, ", "));
  const size_t more = names.size() - kListed;
  names.resize(kListed);
  return fmt::format("{} and {} more", fmt::join(names, ", "), more);
}

}  // namespace

std::vector<std::string> counting_notes(const std::vector<std::string>& named,
                                        const std::vector<CountedFunction>& functions) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const CountedFunction& function : functions) {
    if (function.method != Method::samples) continue;
    if (std::find(named.begin(), named.end(), function.name) == named.end()) continue;
    by_reason[function.condition].push_back(function.name);
  }
  std::vector<std::string> notes;
  for (auto& [reason, names] : by_reason)
    notes.push_back(fmt::format("calls of {} are not counted, they show in samples only: {}",
                                shorten(std::move(names)), reason));
  return notes;
}

}  // namespace nettoll
