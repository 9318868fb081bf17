// SPDX-License-Identifier: Apache-2.0
#include "report/chain_report.h"

#include <algorithm>
#include <utility>

#include "model/symbol_identity.h"
#include "report/flat_profile.h"
#include "report/sample_weights.h"
#include "report/shares.h"

namespace nettoll {
namespace {

/// What all events share.
struct Stacks {
  Stacks(const Profile& of, const CostTable& cost)
      : profile(of), first(first_of_each_symbol(of.symbols)), weights(sample_weights(of, cost)) {
    numbers.reserve(of.symbols.size());
    for (uint32_t i = 0; i < of.symbols.size(); ++i) numbers.emplace(name_of_symbol(of.symbols[i]), i);
  }
  /// Every function of the cost table that has samples is a symbol of the profile.
  uint32_t number_of(const FunctionCost& function) const {
    return numbers.at(name_of_symbol(function.symbol));
  }

  const Profile& profile;
  std::vector<uint32_t> first;
  std::vector<double> weights;
  SymbolNumbers numbers;
};

ChainScope scope_of(const ReportOptions& options) {
  const bool from_caller = options.chains.value_or(ChainOrder::caller) == ChainOrder::caller;
  if (options.children) return from_caller ? ChainScope::children : ChainScope::callers;
  return from_caller ? ChainScope::leaf_from_caller : ChainScope::leaf_from_callee;
}

void plant_trees(const Stacks& stacks, ChainReport& report, double percent) {
  const double of_event = least_of(percent, report.total);
  const auto least = [&](const ChainEntry& entry) {
    const bool small = report.limit_of == LimitOf::small_function && entry.inclusive.value < of_event;
    return small ? least_of(percent, entry.inclusive.value) : of_event;
  };
  const bool of_leaf =
      report.scope == ChainScope::leaf_from_caller || report.scope == ChainScope::leaf_from_callee;
  // No branch is larger than its function.
  const auto bears = [&](const ChainEntry& entry) {
    const Estimate& whole = of_leaf ? entry.self : entry.inclusive;
    return whole.samples > 0 && whole.value >= least(entry);
  };
  std::vector<bool> wanted(stacks.profile.symbols.size());
  for (const ChainEntry& entry : report.entries) wanted[entry.symbol] = bears(entry);
  Chains chains(stacks.profile, stacks.weights, stacks.first, report.event, wanted);
  for (ChainEntry& entry : report.entries) {
    if (bears(entry)) entry.roots = chains.of(entry.symbol, report.scope, least(entry));
  }
}

MainChain main_chain(const Profile& profile, const std::vector<ChainNode>& roots) {
  MainChain chain;
  std::vector<uint32_t> passed;  // the function and its callers so far
  double cost = 0;
  for (const auto* nodes = &roots; !nodes->empty(); nodes = &nodes->front().children) {
    const ChainNode& node = nodes->front();
    if (!passed.empty() && node.cost.value * 2 < cost) break;
    passed.push_back(node.symbol);
    cost = node.cost.value;
    if (passed.size() == 1 || profile.symbols[node.symbol].name != kUnknownName) chain = {passed, node.cost};
  }
  return chain;
}

}  // namespace

std::vector<ChainReport> chain_reports(const Profile& profile, const CostTable& cost,
                                       const ReportOptions& options, size_t rows) {
  const Stacks stacks(profile, cost);
  std::vector<ChainReport> reports;
  for (const uint32_t event : sampled_events(cost)) {
    ChainReport report{event, cost.events[event].count, scope_of(options), {}, 0, LimitOf::event};
    for (const FlatRow& row : flat_profile(cost, std::span(&event, 1), options)) {
      if (!options.children && row.self[0].samples == 0) continue;
      if (rows > 0 && report.entries.size() == rows)
        ++report.left_out;
      else
        report.entries.push_back({stacks.number_of(*row.function), row.self[0], row.inclusive[0], {}});
    }
    plant_trees(stacks, report, options.chain_percent);
    reports.push_back(std::move(report));
  }
  return reports;
}

std::vector<ChainReport> function_trees(const Profile& profile, const CostTable& cost, ChainScope scope,
                                        const std::string& name, const ReportOptions& options) {
  const Stacks stacks(profile, cost);
  std::vector<ChainReport> reports;
  for (const uint32_t event : sampled_events(cost)) {
    ChainReport report{event, cost.events[event].count, scope, {}, 0, LimitOf::small_function};
    for (const FunctionCost& function : cost.functions) {
      if (function.symbol.name != name) continue;
      const Estimate inclusive = function.inclusive(event);
      if (inclusive.samples == 0) continue;
      report.entries.push_back({stacks.number_of(function), function.self(event), inclusive, {}});
    }
    if (report.entries.empty()) continue;
    plant_trees(stacks, report, options.chain_percent);
    reports.push_back(std::move(report));
  }
  return reports;
}

std::vector<std::string> sampled_names(const CostTable& cost) {
  std::vector<std::string> names;
  for (const FunctionCost& function : cost.functions) {
    if (!function.cells.empty()) names.push_back(function.symbol.name);
  }
  return names;
}

std::vector<MainChain> main_chains(const Profile& profile, const CostTable& cost, uint32_t event,
                                   std::span<const uint32_t> symbols) {
  const Stacks stacks(profile, cost);
  std::vector<bool> wanted(profile.symbols.size());
  for (const uint32_t symbol : symbols) wanted[symbol] = true;
  Chains chains(profile, stacks.weights, stacks.first, event, wanted);
  const double least = least_of(ReportOptions::kChainPercent, cost.events[event].count);
  std::vector<MainChain> list;
  list.reserve(symbols.size());
  for (const uint32_t symbol : symbols) {
    const auto roots = chains.of(symbol, ChainScope::leaf_from_callee, least);
    list.push_back(main_chain(profile, roots));
  }
  return list;
}

}  // namespace nettoll
