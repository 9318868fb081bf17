// SPDX-License-Identifier: Apache-2.0
#include "diagnose/observe/doubts.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/observe/limits.h"

namespace nettoll {
namespace {

bool is_thunk(const Works& works) {
  return works.any_of({Work::indirect_thunk, Work::return_thunk});
}

Confidence at_most(const Share& share, const limit::Limit& limit) {
  return surely_from(share, limit.much) ? Confidence::low : Confidence::medium;
}

}  // namespace

std::optional<LostPart> lost_samples(const Sight& sight) {
  LostPart part;
  for (const StackSamples& row : sight.profile().samples) part.kept += row.samples;
  for (const Loss& loss : sight.profile().losses) {
    const bool of_samples = loss.kind == LossKind::ring_full || loss.kind == LossKind::stack_table ||
                            loss.kind == LossKind::unmatched_sample;
    if (of_samples) part.lost += static_cast<double>(loss.count);
  }
  part.kept += static_cast<double>(sight.profile().left_out);
  if (part.lost + part.kept == 0) return std::nullopt;
  return part;
}

std::optional<Share> chainless(const Sight& sight) {
  const auto alone = [&](uint32_t stack) { return sight.profile().stacks[stack].size() == 1; };
  return share_of(sight.sum(*sight.time(), alone).kernel, sight.whole(*sight.time()).kernel);
}

bool without_chains(const Sight& sight) {
  constexpr double kNearlyAll = 0.98;
  const auto share = chainless(sight);
  return share && share->part >= kNearlyAll;
}

Garble garble_of(const Sight& sight, uint32_t stack) {
  const auto frames = sight.profile().stacks[stack];
  if (frames.size() < 2) return Garble::none;
  size_t kernel = 0, unnamed = 0;
  bool programs = false;
  for (size_t i = 0; i < frames.size(); ++i) {
    const Symbol& symbol = sight.symbol(frames[i]);
    if (symbol.kind == SymbolKind::user) programs = true;
    if (symbol.kind != SymbolKind::kernel) continue;
    if (programs) return Garble::above_user;
    ++kernel;
    if (symbol.name == kUnknownName) ++unnamed;
    if (i == 0) continue;
    const Works& outer = sight.works(frames[i]);
    const Works& inner = sight.works(frames[i - 1]);
    // A thunk calls itself to reach its target, and an interrupt may come upon any code.
    if (is_thunk(inner) && is_thunk(outer)) continue;
    if (i == 1 && frames[0] == frames[1] && symbol.name != kUnknownName) return Garble::under_itself;
    const bool named = sight.symbol(frames[i - 1]).name != kUnknownName;
    if (outer.has(Work::calls_nothing) && named && !inner.has(Work::interrupt)) return Garble::calls_nothing;
  }
  return kernel >= 3 && unnamed * 2 > kernel ? Garble::unnamed : Garble::none;
}

std::optional<Share> at_interrupt_enable(const Sight& sight) {
  const auto enables = [&](uint32_t stack) { return sight.leaf_works(stack).has(Work::interrupt_enable); };
  return share_of(sight.sum(*sight.time(), enables).kernel, sight.whole(*sight.time()).kernel);
}

std::vector<Doubt> doubts_about(const Sight& sight) {
  std::vector<Doubt> doubts;
  if (const auto lost = lost_samples(sight); lost && lost->part() >= limit::kLost.from) {
    doubts.push_back({lost->part() >= limit::kLost.much ? Confidence::low : Confidence::medium, false,
                      fmt::format("{} of the samples were lost", percent_text(lost->part()))});
  }
  if (!sight.time()) return doubts;
  const Amount& whole = sight.whole(*sight.time());
  if (const auto share = chainless(sight); surely_from(share, limit::kNoChain.from)) {
    doubts.push_back({at_most(*share, limit::kNoChain), true,
                      fmt::format("{} of the kernel samples have no call chain", percent_text(share->part))});
  }
  const auto garbled = share_of(
      sight.sum(*sight.time(), [&](uint32_t stack) { return garble_of(sight, stack) != Garble::none; })
          .kernel,
      whole.kernel);
  if (surely_from(garbled, limit::kGarbled.from)) {
    doubts.push_back({at_most(*garbled, limit::kGarbled), true,
                      fmt::format("{} of the kernel samples have call chains that cannot be",
                                  percent_text(garbled->part))});
  }
  if (const auto blind = at_interrupt_enable(sight); surely_from(blind, limit::kBlind.from)) {
    // It moves time between functions, and takes none from those that run with interrupts on.
    doubts.push_back({Confidence::medium, false,
                      fmt::format("{} of the kernel samples stand where interrupts are enabled again: "
                                  "what ran before is not seen",
                                  percent_text(blind->part))});
  }
  return doubts;
}

void lower_confidence(Finding& finding, const std::vector<Doubt>& doubts, bool rests_on_chains) {
  if (!finding.confidence) return;
  for (const Doubt& doubt : doubts) {
    if (doubt.chains && !rests_on_chains) continue;
    finding.confidence = std::min(*finding.confidence, doubt.at_most);
    finding.doubts.push_back(doubt.why);
  }
}

}  // namespace nettoll
