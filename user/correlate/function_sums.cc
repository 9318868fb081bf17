// SPDX-License-Identifier: Apache-2.0
#include "correlate/function_sums.h"

namespace nettoll {

std::span<FunctionSums::Cell> FunctionSums::cells(uint32_t symbol, Path path) {
  uint32_t& place = place_[symbol * kPathCount + static_cast<size_t>(path)];
  if (place == kNowhere) {
    place = static_cast<uint32_t>(cells_.size() / events_);
    cells_.resize(cells_.size() + events_);
  }
  return {cells_.data() + place * events_, events_};
}

std::vector<FunctionCell> FunctionSums::function_cells(uint32_t symbol) const {
  std::vector<FunctionCell> seen;
  for (uint32_t event = 0; event < events_; ++event) {
    for (const Path path : kAllPaths) {
      const uint32_t place = place_[symbol * kPathCount + static_cast<size_t>(path)];
      if (place == kNowhere) continue;
      const Cell& cell = cells_[place * events_ + event];
      if (cell.inclusive.samples > 0) seen.push_back({path, event, cell.self, cell.inclusive});
    }
  }
  return seen;
}

}  // namespace nettoll
