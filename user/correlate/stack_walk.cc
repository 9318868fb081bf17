// SPDX-License-Identifier: Apache-2.0
#include "correlate/stack_walk.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "correlate/path_rules.h"

namespace nettoll {
StackWalk::StackWalk(const Profile& profile, const ScaleTable& scale, std::span<const uint32_t> first)
    : profile_(profile),
      scale_(scale),
      first_(first),
      roles_(roles_of_symbols(profile.symbols)),
      events_(profile.session.events.size()),
      sums_(profile.symbols.size(), events_),
      cpu_paths_(scale.cpus() * events_ * kPathCount),
      frameless_(events_, 0),
      seen_in_(profile.symbols.size(), 0),
      by_event_(events_) {}

void StackWalk::run() {
  const std::vector<Path> paths = paths_of_stacks();
  // Rows come CPU by CPU, the function sums want them stack by stack: one pass in the order of the rows,
  // which fills the CPU sums and drops each weight where its stack is (a counting sort), then one over the
  // stacks.
  std::vector<uint32_t> begin(profile_.stacks.size() + 1, 0);
  for (const auto& row : profile_.samples) ++begin[row.stack + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Weighed> weighed(profile_.samples.size());
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (const auto& row : profile_.samples) {
    const Weighed weight{scale_.at(row.event, row.cpu).weight(row), row.event, row.samples};
    weighed[next[row.stack]++] = weight;
    add_to_cpu(row, paths[row.stack], weight.value);
  }
  // Path by path, so that the sums at hand stay in the nearest cache.
  for (const Path path : kAllPaths) {
    for (uint32_t stack = 0; stack < profile_.stacks.size(); ++stack) {
      if (paths[stack] != path) continue;
      const std::span<const Weighed> rows{weighed.data() + begin[stack], begin[stack + 1] - begin[stack]};
      if (rows.empty() || profile_.stacks[stack].empty()) continue;
      fold_events(rows);
      add_to_functions(stack, path);
    }
  }
}

std::vector<Path> StackWalk::paths_of_stacks() const {
  std::vector<Path> paths;
  paths.reserve(profile_.stacks.size());
  for (size_t i = 0; i < profile_.stacks.size(); ++i) paths.push_back(path_of(profile_.stacks[i], roles_));
  return paths;
}

void StackWalk::add_to_cpu(const StackSamples& row, Path path, double weight) {
  if (profile_.stacks[row.stack].empty()) {
    frameless_[row.event] += weight;
    return;
  }
  const size_t place = (row.event * scale_.cpus() + row.cpu) * kPathCount + static_cast<size_t>(path);
  cpu_paths_[place].add({weight, row.samples});
}

void StackWalk::fold_events(std::span<const Weighed> rows) {
  costs_.clear();
  for (const auto& row : rows) {
    Estimate& sum = by_event_[row.event];
    if (sum.samples == 0) costs_.push_back({row.event, {}});
    sum.add({row.value, row.samples});
  }
  for (auto& entry : costs_) entry.cost = std::exchange(by_event_[entry.event], {});
}

void StackWalk::add_to_functions(uint32_t stack, Path path) {
  auto frames = profile_.stacks[stack];
  uint32_t leaf = frames.front();
  if (path == Path::own) {
    // Our code runs inside the functions that it watches. They did not cause it, so no caller carries it.
    leaf = *std::find_if(frames.begin(), frames.end(), [&](uint32_t s) { return roles_[s] & kOwnCode; });
    frames = {};
  }
  leaf = first_[leaf];
  const size_t leaf_run = sums_.run_of(leaf, path);
  for (const auto& entry : costs_) {
    sums_.self(leaf_run)[entry.event].add(entry.cost);
    sums_.inclusive(leaf_run)[entry.event].add(entry.cost);
  }
  seen_in_[leaf] = stack + 1;
  // The innermost loop of the join: what does not change is kept in locals, since the compiler must take
  // every store for a change of the members.
  const StackCost* const costs = costs_.data();
  const size_t cost_count = costs_.size();
  uint32_t* const seen_in = seen_in_.data();
  const uint32_t mark = stack + 1;
  for (const uint32_t frame : frames) {
    const uint32_t symbol = first_[frame];
    if (seen_in[symbol] == mark) continue;  // recursion counts once
    seen_in[symbol] = mark;
    Estimate* const inclusive = sums_.inclusive(sums_.run_of(symbol, path));
    for (size_t i = 0; i < cost_count; ++i) inclusive[costs[i].event].add(costs[i].cost);
  }
}

}  // namespace nettoll
