// SPDX-License-Identifier: Apache-2.0
// All that is known about one row of a list.
#pragma once

#include <string>
#include <vector>

#include "tui/data.h"
#include "tui/state.h"

namespace nettoll::tui {

/// Lines of at most `columns` columns about the row `state.detail` of the state's pane; says so where it is
/// no longer there. Commands are shown, never run.
std::vector<std::string> detail_lines(const TopState& state, const TopData& data, int columns);

/// Lines of a text, those that are wider than `columns` wrapped.
std::vector<std::string> wrapped_lines(const std::string& text, int columns, int hanging = 0);

}  // namespace nettoll::tui
