// SPDX-License-Identifier: Apache-2.0
#include "report/chains.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nettoll {
namespace {

constexpr int kInwards = -1;
constexpr int kOutwards = 1;

}  // namespace

Chains::Chains(const Profile& profile, std::span<const double> weights, std::span<const uint32_t> first,
               uint32_t event, const std::vector<bool>& wanted)
    : profile_(profile),
      first_(first),
      weight_(profile.stacks.size()),
      samples_(profile.stacks.size()),
      begins_(profile.symbols.size() + 1),
      group_of_(profile.symbols.size()) {
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const StackSamples& row = profile.samples[i];
    if (row.event != event) continue;
    weight_[row.stack] += weights[i];
    samples_[row.stack] += row.samples;
  }
  // Twice over the stacks: how many hold a function, then which.
  std::vector<uint32_t> seen_in(profile.symbols.size());
  std::vector<uint32_t> place_in(profile.symbols.size());
  const auto walk = [&](const auto& meet) {
    for (uint32_t stack = 0; stack < profile.stacks.size(); ++stack) {
      if (samples_[stack] == 0) continue;
      const auto frames = profile.stacks[stack];
      for (uint32_t i = 0; i < frames.size(); ++i) {
        const uint32_t symbol = first[frames[i]];
        if (wanted[symbol]) meet(symbol, stack, i);
      }
    }
  };
  walk([&](uint32_t symbol, uint32_t stack, uint32_t) {
    if (std::exchange(seen_in[symbol], stack + 1) != stack + 1) ++begins_[symbol + 1];
  });
  for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  places_.resize(begins_.back());
  std::vector<uint32_t> next(begins_.begin(), begins_.end() - 1);
  std::fill(seen_in.begin(), seen_in.end(), 0);
  walk([&](uint32_t symbol, uint32_t stack, uint32_t frame) {
    if (std::exchange(seen_in[symbol], stack + 1) != stack + 1) {
      place_in[symbol] = next[symbol]++;
      places_[place_in[symbol]] = {stack, frame, frame};
    }
    places_[place_in[symbol]].outermost = frame;
  });
}

size_t Chains::start(uint32_t symbol, ChainScope scope, bool inwards) {
  size_t count = 0;
  make_room(begins_[symbol + 1] - begins_[symbol]);
  for (uint32_t i = begins_[symbol]; i < begins_[symbol + 1]; ++i) {
    const Place& place = places_[i];
    const auto frames = profile_.stacks[place.stack];
    const bool leaf = place.innermost == 0;
    if (!leaf && (scope == ChainScope::leaf_from_caller || scope == ChainScope::leaf_from_callee)) continue;
    const auto size = static_cast<uint32_t>(frames.size());
    uint32_t at = place.innermost;
    if (inwards) {
      const bool whole = scope == ChainScope::leaf_from_caller || (scope == ChainScope::children && leaf);
      at = whole ? size - 1 : place.outermost;
    }
    rests_[count++] = {&frames[at], weight_[place.stack], samples_[place.stack],
                       inwards ? at + 1 : size - at};
  }
  return count;
}

std::vector<ChainNode> Chains::of(uint32_t symbol, ChainScope scope, double least) {
  const bool inwards = scope != ChainScope::leaf_from_callee && scope != ChainScope::callers;
  const size_t count = start(symbol, scope, inwards);
  return divide({0, count}, count, {inwards ? kInwards : kOutwards, least}, 0);
}

std::vector<Chains::Group> Chains::groups_of(const Run& run) {
  std::vector<Group> groups;
  for (size_t i = run.begin; i < run.end; ++i) {
    const Rest& rest = rests_[i];
    uint32_t& number = group_of_[first_[*rest.next]];
    if (number == 0) {
      groups.push_back({first_[*rest.next], 0, {}});
      number = static_cast<uint32_t>(groups.size());
    }
    Group& group = groups[number - 1];
    group.cost.add({rest.weight, rest.samples});
    group.going_on += rest.left > 1;
  }
  return groups;
}

std::vector<ChainNode> Chains::divide(Run run, size_t top, const Walk& walk, uint32_t depth) {
  if (depth == kDeepest || run.begin == run.end) return {};
  const std::vector<Group> groups = groups_of(run);
  // Most of a deep chain does not branch: its run is walked where it lies. Of others, what goes on in groups
  // that reach the limit is copied to the top, group by group.
  size_t place = groups.size() > 1 ? top : run.begin;
  std::vector<size_t> next(groups.size(), SIZE_MAX);
  std::vector<ChainNode> nodes;
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].cost.value < walk.least) continue;
    next[g] = place;
    place += groups[g].going_on;
    nodes.push_back({groups[g].symbol, groups[g].cost, {}});
  }
  make_room(place);
  for (size_t i = run.begin; i < run.end; ++i) {
    const Rest rest = rests_[i];
    if (rest.left == 1) continue;
    size_t& to = next[group_of_[first_[*rest.next]] - 1];
    if (to != SIZE_MAX) rests_[to++] = {rest.next + walk.step, rest.weight, rest.samples, rest.left - 1};
  }
  for (const Group& group : groups) group_of_[group.symbol] = 0;
  const size_t above = std::max(top, place);
  size_t node = 0;
  for (size_t g = 0; g < groups.size(); ++g) {
    if (next[g] == SIZE_MAX) continue;
    nodes[node++].children = divide({next[g] - groups[g].going_on, next[g]}, above, walk, depth + 1);
  }
  sort_children(nodes);
  return nodes;
}

void sort_children(std::vector<ChainNode>& nodes) {
  std::sort(nodes.begin(), nodes.end(), [](const ChainNode& a, const ChainNode& b) {
    return a.cost.value != b.cost.value ? a.cost.value > b.cost.value : a.symbol < b.symbol;
  });
}

double least_of(double percent, double total) {
  return std::floor(total * (percent / 100));
}

}  // namespace nettoll
