// SPDX-License-Identifier: Apache-2.0
// Functions with their call chains, as text and JSON show them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/cost_table.h"
#include "model/profile.h"
#include "report/chains.h"
#include "report/options.h"

namespace nettoll {

/// A function and the trees under it.
struct ChainEntry {
  uint32_t symbol = 0;  ///< index into Profile::symbols
  Estimate self;
  Estimate inclusive;
  std::vector<ChainNode> roots;
};

/// What the limit of branches is a part of: the event, or, for a function that does not reach the limit
/// itself, what that function took.
enum class LimitOf : uint8_t { event, small_function };

/// What was asked of one event.
struct ChainReport {
  uint32_t event = 0;
  double total = 0;
  ChainScope scope = ChainScope::leaf_from_caller;
  std::vector<ChainEntry> entries;
  size_t left_out = 0;  ///< entries behind the reader's limit of rows
  LimitOf limit_of = LimitOf::event;
};

/// The functions of the flat profile with their chains, for each event that was sampled. `rows` is the most
/// entries an event, 0 for all.
std::vector<ChainReport> chain_reports(const Profile& profile, const CostTable& cost,
                                       const ReportOptions& options, size_t rows);

/// One function's callers or callees for each event that was sampled; a function of that name in several
/// modules is several entries. A function that does not reach the limit
/// of branches has its tree too: the limit is then of what it took. No entry where no sample holds it.
std::vector<ChainReport> function_trees(const Profile& profile, const CostTable& cost, ChainScope scope,
                                        const std::string& name, const ReportOptions& options);

/// Names of all functions on stacks, for who mistyped one.
std::vector<std::string> sampled_names(const CostTable& cost);

/// The chain that most samples of a function itself came through: from the function outwards, as long as one
/// caller has at least half of what came that far. It ends with a caller that has a name.
struct MainChain {
  std::vector<uint32_t> symbols;  ///< innermost first, the function itself included
  Estimate cost;                  ///< of the whole chain
};

/// The main chains of functions given by symbol, beside `symbols`.
std::vector<MainChain> main_chains(const Profile& profile, const CostTable& cost, uint32_t event,
                                   std::span<const uint32_t> symbols);

}  // namespace nettoll
