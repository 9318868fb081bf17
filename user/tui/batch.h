// SPDX-License-Identifier: Apache-2.0
// A refresh as plain text, for scripts.
#pragma once

#include <cstddef>
#include <string>

#include "tui/data.h"
#include "tui/state.h"

namespace nettoll::tui {

/// The summary and all panes one after the other, `columns` wide at most, without anything that only a
/// terminal understands. `limit` rows of each list; 0 is all.
std::string batch_text(const TopState& state, const TopData& data, int columns, size_t limit);

}  // namespace nettoll::tui
