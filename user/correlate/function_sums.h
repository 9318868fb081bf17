// SPDX-License-Identifier: Apache-2.0
// Accumulators of function cost while a window is joined.
#pragma once

#include <cstdint>
#include <vector>

#include "model/cost_table.h"
#include "model/net.h"

namespace nettoll {

/// Self and inclusive cost by symbol, path and event. A (symbol, path) gets its run of events when it is
/// first seen: most functions run in one or two paths, and what is not seen costs four bytes. Inclusive sums,
/// which every frame touches, lie apart from self sums, which only leaves do.
class FunctionSums {
 public:
  FunctionSums(size_t symbols, size_t events)
      : symbols_(symbols), events_(events), run_(symbols * kPathCount, kNowhere) {}

  /// Where the run of a symbol in a path begins.
  size_t run_of(uint32_t symbol, Path path) {
    uint32_t& run = run_[place_of(symbol, path)];
    if (run == kNowhere) run = add_run();
    return run;
  }
  /// Sums of a run by event. Valid until the next run_of().
  Estimate* self(size_t run) { return self_.data() + run; }
  Estimate* inclusive(size_t run) { return inclusive_.data() + run; }

  /// What was seen of a symbol, as the cost table has it: sorted by (event, path).
  std::vector<FunctionCell> function_cells(uint32_t symbol) const;

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  /// Path by path, as the walk goes: the symbols of one path lie together.
  size_t place_of(uint32_t symbol, Path path) const { return static_cast<size_t>(path) * symbols_ + symbol; }
  uint32_t add_run();

  size_t symbols_;
  size_t events_;
  std::vector<uint32_t> run_;  ///< by (path, symbol)
  std::vector<Estimate> self_;
  std::vector<Estimate> inclusive_;
};

}  // namespace nettoll
