// SPDX-License-Identifier: Apache-2.0
#include "correlate/named_stacks.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "correlate/path_rules.h"
#include "correlate/scale.h"

namespace nettoll {
namespace {

std::optional<Path> path_begun_by(uint16_t role) {
  if (role & kRxEntry) return Path::rx;
  if (role & kTxEntry) return Path::tx;
  if (role & kSendEntry) return Path::send;
  if (role & kReceiveEntry) return Path::receive;
  if (role & kTimerEntry) return Path::timer;
  if (role & kOwnCode) return Path::own;
  if (role & kIdleFunction) return Path::idle;
  return std::nullopt;
}

/// Numbers equal symbols alike, in the order of their names.
struct Ranks {
  std::vector<uint32_t> of;     ///< by symbol of the profile
  std::vector<uint32_t> first;  ///< by rank, a symbol that has it
};

Ranks rank_symbols(const std::vector<Symbol>& symbols) {
  std::vector<uint32_t> order(symbols.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return symbols[a] < symbols[b]; });
  Ranks ranks;
  ranks.of.resize(symbols.size());
  for (const uint32_t symbol : order) {
    if (ranks.first.empty() || symbols[ranks.first.back()] != symbols[symbol]) ranks.first.push_back(symbol);
    ranks.of[symbol] = static_cast<uint32_t>(ranks.first.size() - 1);
  }
  return ranks;
}

constexpr uint32_t kNone = UINT32_MAX;

/// Gives the symbols that are on a stack their places in the result.
void put_symbols(const Profile& profile, const Ranks& ranks, const std::vector<uint16_t>& roles,
                 std::vector<uint32_t>& frames, NamedStacks& result) {
  std::vector<uint32_t> place(ranks.first.size(), kNone);
  for (const uint32_t rank : frames) place[rank] = 0;
  for (uint32_t rank = 0; rank < place.size(); ++rank) {
    if (place[rank] == kNone) continue;
    place[rank] = static_cast<uint32_t>(result.symbols.size());
    result.symbols.push_back(profile.symbols[ranks.first[rank]]);
    result.begins.push_back(path_begun_by(roles[ranks.first[rank]]));
  }
  for (uint32_t& frame : frames) frame = place[frame];
}

}  // namespace

NamedStacks named_stacks(const Profile& profile) {
  NamedStacks result;
  std::vector<EventTotal> totals;
  const ScaleTable scale = scale_counts(profile, nullptr, totals);
  for (const EventTotal& total : totals) result.unattributed.push_back(total.unattributed);

  const std::vector<uint16_t> roles = roles_of_symbols(profile.symbols);
  const Ranks ranks = rank_symbols(profile.symbols);
  std::vector<uint8_t> in_use(profile.stacks.size());
  for (const StackSamples& row : profile.samples) in_use[row.stack] = 1;

  // All stacks in one array, outermost first.
  struct Run {
    uint32_t stack = 0;
    size_t begin = 0;
    size_t size = 0;
    Path path = Path::other;
  };
  std::vector<Run> runs;
  std::vector<uint32_t> frames;
  for (uint32_t stack = 0; stack < profile.stacks.size(); ++stack) {
    const auto inner_first = profile.stacks[stack];
    if (!in_use[stack] || inner_first.empty()) continue;
    Run run{stack, frames.size(), 0, path_of(inner_first, roles)};
    if (run.path == Path::own) {
      frames.push_back(ranks.of[*std::find_if(inner_first.begin(), inner_first.end(),
                                              [&](uint32_t s) { return roles[s] & kOwnCode; })]);
    } else {
      for (auto frame = inner_first.rbegin(); frame != inner_first.rend(); ++frame)
        frames.push_back(ranks.of[*frame]);
    }
    run.size = frames.size() - run.begin;
    runs.push_back(run);
  }
  put_symbols(profile, ranks, roles, frames, result);

  const auto span_of = [&](const Run& run) { return std::span(frames).subspan(run.begin, run.size); };
  std::sort(runs.begin(), runs.end(), [&](const Run& a, const Run& b) {
    const auto one = span_of(a), other = span_of(b);
    const auto order =
        std::lexicographical_compare_three_way(one.begin(), one.end(), other.begin(), other.end());
    return order != 0 ? order < 0 : a.stack < b.stack;
  });
  std::vector<uint32_t> place(profile.stacks.size(), kNone);
  for (const Run& run : runs) {
    const auto stack = span_of(run);
    const size_t last = result.stacks.size();
    if (last == 0 || !std::ranges::equal(result.stacks[last - 1], stack)) {
      result.stacks.add(stack);
      result.paths.push_back(run.path);
    }
    place[run.stack] = static_cast<uint32_t>(result.stacks.size() - 1);
  }

  for (const StackSamples& row : profile.samples) {
    const double weight = scale.at(row.event, row.cpu).weight(row);
    if (place[row.stack] == kNone) {
      result.unattributed[row.event] += weight;
    } else {
      result.costs.push_back({place[row.stack], row.event, {weight, row.samples}});
    }
  }
  const auto key = [](const NamedStackCost& row) { return std::tuple(row.stack, row.event); };
  // Stable, so that sums of floating point always come out the same.
  std::stable_sort(result.costs.begin(), result.costs.end(),
                   [&](const NamedStackCost& a, const NamedStackCost& b) { return key(a) < key(b); });
  size_t kept = 0;
  for (size_t i = 0; i < result.costs.size(); ++i) {
    if (kept > 0 && key(result.costs[kept - 1]) == key(result.costs[i])) {
      result.costs[kept - 1].cost.add(result.costs[i].cost);
    } else {
      result.costs[kept++] = result.costs[i];
    }
  }
  result.costs.resize(kept);
  return result;
}

}  // namespace nettoll
