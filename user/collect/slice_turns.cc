// SPDX-License-Identifier: Apache-2.0
#include "collect/slice_turns.h"

#include <algorithm>

namespace nettoll {

void SliceTurns::took(size_t hooks, std::chrono::nanoseconds time) {
  if (hooks > 0) each_ = time / hooks;
}

std::vector<uint32_t> SliceTurns::next(const std::vector<uint32_t>& numbers, std::chrono::nanoseconds room) {
  size_t count = numbers.size();
  if (each_.count() > 0) count = std::min(count, static_cast<size_t>(std::max<int64_t>(room / each_, 1)));
  const auto first = std::lower_bound(numbers.begin(), numbers.end(), begin_) - numbers.begin();
  std::vector<uint32_t> turn;
  for (size_t i = 0; i < count; ++i)
    turn.push_back(numbers[(static_cast<size_t>(first) + i) % numbers.size()]);
  if (!turn.empty()) begin_ = turn.back() + 1;
  std::sort(turn.begin(), turn.end());
  return turn;
}

}  // namespace nettoll
