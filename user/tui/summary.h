// SPDX-License-Identifier: Apache-2.0
// The lines above and below the panes.
#pragma once

#include <string>
#include <vector>

#include "tui/data.h"
#include "tui/frame.h"
#include "tui/state.h"

namespace nettoll::tui {

/// A line of the summary.
struct SummaryLine {
  std::string text;
  Style style = Style::normal;
};

/// Host and window; packets and drops; load and findings; what nettoll itself costs. The first matter most.
std::vector<SummaryLine> summary_lines(const TopState& state, const TopData& data);

/// What the numbers lack: losses, throttling, events that share a counter or are not there, and other notes.
/// The gravest first.
SummaryLine status_line(const TopData& data);

}  // namespace nettoll::tui
