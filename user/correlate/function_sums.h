// SPDX-License-Identifier: Apache-2.0
// Accumulators of function cost while a window is joined.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/cost_table.h"
#include "model/net.h"

namespace nettoll {

/// Self and inclusive cost by symbol, path and event. A (symbol, path) gets its run of events when it is
/// first seen: most functions run in one or two paths, and what is not seen costs four bytes.
class FunctionSums {
 public:
  struct Cell {
    Estimate self;
    Estimate inclusive;
  };

  FunctionSums(size_t symbols, size_t events) : events_(events), place_(symbols * kPathCount, kNowhere) {}

  /// The cells of a symbol in a path, by event. Valid until the next call.
  std::span<Cell> cells(uint32_t symbol, Path path);

  /// What was seen of a symbol, as the cost table has it: sorted by (event, path).
  std::vector<FunctionCell> function_cells(uint32_t symbol) const;

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  size_t events_;
  std::vector<uint32_t> place_;  ///< by (symbol, path): the number of its run
  std::vector<Cell> cells_;
};

}  // namespace nettoll
