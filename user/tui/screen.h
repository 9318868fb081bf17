// SPDX-License-Identifier: Apache-2.0
// The whole screen, from what was measured and what was chosen. No input or output, no clock.
//
// Cost: see tests/bench/top_bench.cc.
#pragma once

#include "tui/data.h"
#include "tui/frame.h"
#include "tui/state.h"

namespace nettoll::tui {

/// Exactly `size` cells, whatever the data. `data` is null before the first refresh.
Frame render(const TopState& state, const TopData* data, Size size);

/// What that frame shows, for keys that are typed at it.
Shown shown(const TopState& state, const TopData* data, Size size);

}  // namespace nettoll::tui
