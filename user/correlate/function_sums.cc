// SPDX-License-Identifier: Apache-2.0
#include "correlate/function_sums.h"

namespace nettoll {

uint32_t FunctionSums::add_run() {
  const auto run = static_cast<uint32_t>(self_.size());
  self_.resize(self_.size() + events_);
  inclusive_.resize(inclusive_.size() + events_);
  return run;
}

std::vector<FunctionCell> FunctionSums::function_cells(uint32_t symbol) const {
  std::vector<FunctionCell> seen;
  for (uint32_t event = 0; event < events_; ++event) {
    for (const Path path : kAllPaths) {
      const uint32_t run = run_[place_of(symbol, path)];
      if (run == kNowhere) continue;
      const size_t place = run + event;
      if (inclusive_[place].samples > 0) seen.push_back({path, event, self_[place], inclusive_[place]});
    }
  }
  return seen;
}

}  // namespace nettoll
