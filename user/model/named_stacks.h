// SPDX-License-Identifier: Apache-2.0
// The join stack by stack: what exports to other tools are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/cost_table.h"
#include "model/net.h"
#include "model/stack_table.h"

namespace nettoll {

/// The name under which exports show what NamedStacks::unattributed holds.
inline constexpr const char* kNotSampledName = "[not sampled]";

/// What one stack took of one event, over all CPUs.
struct NamedStackCost {
  uint32_t stack = 0;
  uint32_t event = 0;
  Estimate cost;

  bool operator==(const NamedStackCost&) const = default;
};

/// Stacks by name: equal names are one stack, wherever the functions lie. For each event the costs and
/// `unattributed` add up to EventTotal::count. All is sorted, so that the same profile always gives the same.
struct NamedStacks {
  std::vector<Symbol> symbols;  ///< each once, sorted; only those on a stack
  /// By symbol: the path that begins in this function (rx, tx, send, receive, timer), or idle or own where
  /// that is what the function is.
  std::vector<std::optional<Path>> begins;
  StackTable<uint32_t> stacks;        ///< outermost first, each once, sorted, none empty
  std::vector<Path> paths;            ///< by stack
  std::vector<NamedStackCost> costs;  ///< sorted by stack, then event; weights as the join has them
  std::vector<double> unattributed;   ///< by event: of CPUs without a sample, and of samples without a stack

  bool operator==(const NamedStacks&) const = default;
};

}  // namespace nettoll
