// SPDX-License-Identifier: Apache-2.0
// A flame graph as one HTML file that needs nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_sink.h"
#include "model/named_stacks.h"
#include "model/profile.h"

namespace nettoll {

/// One event of one profile.
struct FlameGraphInput {
  const Profile& profile;
  const NamedStacks& costs;
  uint32_t event = 0;
  std::string file = "";  ///< that a differential page names
};

/// The same event of two profiles. Neither need be of the same length or host as the other; the events should
/// mean the same, and functions have the same names in both.
struct FlameGraphDiff {
  FlameGraphInput a;  ///< before
  FlameGraphInput b;
  /// What costs are divided by, "second" or "rx packet", so that the two compare; "" where that is the
  /// event's total, and costs are shares of it.
  std::string per = "";
  double divisor_a = 1;
  double divisor_b = 1;
  /// What a reader has to know before he believes any of it.
  std::vector<std::string> notes = {};
};

/// Frames that a page holds at most. More are left out, smallest first, and the page says how many and how
/// much that was.
inline constexpr size_t kMostFlameGraphFrames = 100'000;

/// Writes the page: widths are shares of the event.
///
/// The page loads nothing, and forbids the browser to. Names are data of a script element, in JSON that has
/// no '<', and are put on the page as text alone.
Status write_flame_graph(const FlameGraphInput& input, ByteSink& sink,
                         size_t most_frames = kMostFlameGraphFrames);

/// Writes a differential page, as flamegraph.pl makes of difffolded.pl's output: widths are those of B, and
/// red frames cost more in B than in A, blue ones less. A key switches to A's widths, where frames are that
/// only A has; the page says what those took.
Status write_flame_graph(const FlameGraphDiff& diff, ByteSink& sink,
                         size_t most_frames = kMostFlameGraphFrames);

}  // namespace nettoll
