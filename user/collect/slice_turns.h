// SPDX-License-Identifier: Apache-2.0
// Which functions a slice counts, where attaching all of them would take too long. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nettoll {

/// Functions take turns: each slice has as many as can be attached and detached in the time that there is for
/// it, as far as the last slice tells, and goes on after those of the last one.
class SliceTurns {
 public:
  /// Attaching and detaching `hooks` took so long.
  void took(size_t hooks, std::chrono::nanoseconds time);
  /// Those of `numbers`, which are in ascending order, whose turn it is: at least one.
  std::vector<uint32_t> next(const std::vector<uint32_t>& numbers, std::chrono::nanoseconds room);

 private:
  std::chrono::nanoseconds each_{0};
  uint32_t begin_ = 0;  ///< the first number that has not had its turn
};

/// How long attaching and detaching the hooks of one slice may take: a quarter of the interval. Counters are
/// not read meanwhile.
inline constexpr std::chrono::nanoseconds slice_room(std::chrono::nanoseconds interval) {
  return interval / 4;
}

}  // namespace nettoll
