// SPDX-License-Identifier: Apache-2.0
#include "tui/panes.h"

#include <algorithm>

namespace nettoll::tui {

std::vector<uint32_t> known_events(const TopData& data) {
  std::vector<uint32_t> events;
  for (const EventTotal& total : data.cost.events) {
    if (total.known()) events.push_back(total.event);
  }
  return events;
}

std::optional<uint32_t> event_of(const TopState& state, const TopData& data) {
  const auto events = known_events(data);
  if (events.empty()) return std::nullopt;
  const bool known = std::find(events.begin(), events.end(), state.event) != events.end();
  return known ? state.event : events.front();
}

PaneTable pane_table(const TopState& state, const TopData& data) {
  PaneTable table;
  switch (state.pane) {
    case Pane::functions:
      table = functions_pane(state, data);
      break;
    case Pane::paths:
      table = paths_pane(state, data);
      break;
    case Pane::cpus:
      table = cpus_pane(state, data);
      break;
    case Pane::drops:
      table = drops_pane(data);
      break;
    case Pane::findings:
      table = findings_pane(data);
      break;
  }
  arrange(table, state.view());
  return table;
}

}  // namespace nettoll::tui
