// SPDX-License-Identifier: Apache-2.0
// Which functions a table shows, and in which order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/cost_table.h"
#include "model/net.h"

namespace nettoll {

/// Costs in which paths.
enum class Scope {
  network,    ///< network work, and what nettoll itself costs
  elsewhere,  ///< other kernel work: no idle time and no user mode, which say nothing about kernel functions
};

/// Which costs a table of functions shows.
struct FunctionSelection {
  /// Empty where no event ran: the table then has calls alone.
  std::optional<uint32_t> event;
  Scope scope = Scope::network;
  /// One path of the scope; empty: all of them.
  std::optional<Path> path;
  /// Also functions that were called and never sampled.
  bool unsampled = false;
};

/// A function's cost under a selection.
struct FunctionRow {
  const FunctionCost* function = nullptr;
  Estimate self;
  Estimate inclusive;
  /// The path in which most of it was (inclusive), and whether at least a tenth was elsewhere.
  std::optional<Path> path;
  bool several_paths = false;
  Estimate in_path;  ///< inclusive in `path`
};

/// Rows by self cost, then inclusive cost, then calls, then name.
std::vector<FunctionRow> select_functions(const CostTable& cost, const FunctionSelection& selection);

}  // namespace nettoll
