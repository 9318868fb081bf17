// SPDX-License-Identifier: Apache-2.0
// A flame graph as one HTML file that needs nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/byte_sink.h"
#include "model/named_stacks.h"
#include "model/profile.h"

namespace nettoll {

/// One event of one profile.
struct FlameGraphInput {
  const Profile& profile;
  const NamedStacks& costs;
  uint32_t event = 0;
};

/// Frames that a page holds at most. More are left out, smallest first, and the page says how many and how
/// much that was.
inline constexpr size_t kMostFlameGraphFrames = 100'000;

/// Writes the page. With `before` it is a differential one: widths are the shares of `now` (a key switches to
/// those of `before`), colours say how a frame's share of its profile's total changed. Neither need be of the
/// same length or host as the other; the events should mean the same.
///
/// The page loads nothing, and forbids the browser to. Names are data of a script element, in JSON that has
/// no '<', and are put on the page as text alone.
Status write_flame_graph(const FlameGraphInput& now, const FlameGraphInput* before, ByteSink& sink,
                         size_t most_frames = kMostFlameGraphFrames);

}  // namespace nettoll
