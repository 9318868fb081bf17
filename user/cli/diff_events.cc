// SPDX-License-Identifier: Apache-2.0
#include "cli/diff_events.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "cli/export_events.h"

namespace nettoll {
namespace {

Error not_compared(const CostDiff& diff, const std::string& name) {
  std::vector<std::string_view> compared;
  for (const EventDiff& event : diff.events) compared.push_back(event.name);
  const std::string advice = compared.empty() ? "they have no event in common"
                                              : fmt::format("they compare by {}", fmt::join(compared, ", "));
  return usage_error(fmt::format("A and B did not both sample {} alike", name), advice);
}

}  // namespace

Status keep_events(CostDiff& diff, const DiffInput& a, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  const auto chosen = choose_events(a.profile, a.cost, names);
  if (!chosen) return chosen.error();
  std::vector<EventDiff> kept;
  for (const uint32_t event : *chosen) {
    const auto found = std::ranges::find(diff.events, event, &EventDiff::in_a);
    if (found == diff.events.end()) return not_compared(diff, a.profile.session.events[event].name);
    kept.push_back(*found);
  }
  diff.events = std::move(kept);
  return {};
}

}  // namespace nettoll
