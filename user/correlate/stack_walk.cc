// SPDX-License-Identifier: Apache-2.0
#include "correlate/stack_walk.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "correlate/path_rules.h"

namespace nettoll {
namespace {

/// Row numbers of Profile::samples, grouped by stack: rows of stack s are order[begin[s]] to
/// order[begin[s + 1] - 1]. A counting sort, so that each stack is classified and walked once.
struct RowsByStack {
  std::vector<uint32_t> begin;
  std::vector<uint32_t> order;

  std::span<const uint32_t> rows(size_t stack) const {
    return {order.data() + begin[stack], begin[stack + 1] - begin[stack]};
  }
};

RowsByStack group_by_stack(const Profile& profile) {
  RowsByStack groups;
  groups.begin.assign(profile.stacks.size() + 1, 0);
  for (const auto& row : profile.samples) ++groups.begin[row.stack + 1];
  std::partial_sum(groups.begin.begin(), groups.begin.end(), groups.begin.begin());
  groups.order.resize(profile.samples.size());
  std::vector<uint32_t> next(groups.begin.begin(), groups.begin.end() - 1);
  for (uint32_t i = 0; i < profile.samples.size(); ++i) groups.order[next[profile.samples[i].stack]++] = i;
  return groups;
}

}  // namespace

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
  const RowsByStack groups = group_by_stack(profile_);
  for (uint32_t stack = 0; stack < profile_.stacks.size(); ++stack) {
    const auto rows = groups.rows(stack);
    if (!rows.empty()) visit(stack, rows);
  }
}

void StackWalk::visit(uint32_t stack, std::span<const uint32_t> rows) {
  const auto frames = profile_.stacks[stack];
  if (frames.empty()) {
    for (const uint32_t i : rows) {
      const StackSamples& row = profile_.samples[i];
      frameless_[row.event] += scale_.at(row.event, row.cpu).weight(row);
    }
    return;
  }
  const Path path = path_of(frames, roles_);
  add_to_cpus(rows, path);
  add_to_functions(stack, frames, path);
}

/// Also leaves the stack's cost by event in `costs_`.
void StackWalk::add_to_cpus(std::span<const uint32_t> rows, Path path) {
  costs_.clear();
  for (const uint32_t i : rows) {
    const StackSamples& row = profile_.samples[i];
    const Estimate cost{scale_.at(row.event, row.cpu).weight(row), row.samples};
    cpu_paths_[(row.event * scale_.cpus() + row.cpu) * kPathCount + static_cast<size_t>(path)].add(cost);
    Estimate& sum = by_event_[row.event];
    if (sum.samples == 0) costs_.push_back({row.event, {}});
    sum.add(cost);
  }
  for (auto& entry : costs_) entry.cost = std::exchange(by_event_[entry.event], {});
}

void StackWalk::add_to_functions(uint32_t stack, std::span<const uint32_t> frames, Path path) {
  uint32_t leaf = frames.front();
  if (path == Path::own) {
    // Our code runs inside the functions that it watches. They did not cause it, so no caller carries it.
    leaf = *std::find_if(frames.begin(), frames.end(), [&](uint32_t s) { return roles_[s] & kOwnCode; });
    frames = {};
  }
  leaf = first_[leaf];
  const auto cells = sums_.cells(leaf, path);
  for (const auto& entry : costs_) {
    cells[entry.event].self.add(entry.cost);
    cells[entry.event].inclusive.add(entry.cost);
  }
  seen_in_[leaf] = stack + 1;
  for (const uint32_t frame : frames) {
    const uint32_t symbol = first_[frame];
    if (std::exchange(seen_in_[symbol], stack + 1) == stack + 1) continue;  // recursion counts once
    const auto outer = sums_.cells(symbol, path);
    for (const auto& entry : costs_) outer[entry.event].inclusive.add(entry.cost);
  }
}

}  // namespace nettoll
