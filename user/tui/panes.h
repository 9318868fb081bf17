// SPDX-License-Identifier: Apache-2.0
// The list of each pane. One source file each.
#pragma once

#include <optional>

#include "tui/data.h"
#include "tui/pane_table.h"
#include "tui/state.h"

namespace nettoll::tui {

/// Events that something was measured of, by index.
std::vector<uint32_t> known_events(const TopData& data);

/// The event that tables show: the chosen one, or the first where that was not measured; empty where none
/// was.
std::optional<uint32_t> event_of(const TopState& state, const TopData& data);

/// Functions by what they cost; by calls alone where nothing was sampled.
PaneTable functions_pane(const TopState& state, const TopData& data);
/// Packets and cost by path.
PaneTable paths_pane(const TopState& state, const TopData& data);
/// Softirq load, packets and polls by CPU.
PaneTable cpus_pane(const TopState& state, const TopData& data);
/// Lost packets by reason and place, then what was no loss.
PaneTable drops_pane(const TopData& data);
PaneTable findings_pane(const TopData& data);

/// The list of the state's pane, sorted and filtered.
PaneTable pane_table(const TopState& state, const TopData& data);

}  // namespace nettoll::tui
