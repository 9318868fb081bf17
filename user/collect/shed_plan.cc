// SPDX-License-Identifier: Apache-2.0
#include "collect/shed_plan.h"

#include <algorithm>

namespace nettoll {
namespace {

/// Whether anything changed.
bool shed(const OwnLoad& load, const ShedLimits& limits, Shedding& state) {
  double expected = load.total();
  double sampling = load.sampling;
  const double goal = limits.budget * kShedTo;
  bool changed = false;
  while (expected > goal && state.halvings < limits.most_halvings) {
    sampling /= 2;
    expected -= sampling;
    ++state.halvings;
    changed = true;
  }
  std::vector<HookLoad> hooks = load.hooks;
  std::stable_sort(hooks.begin(), hooks.end(),
                   [](const HookLoad& a, const HookLoad& b) { return a.share > b.share; });
  for (HookLoad& hook : hooks) {
    if (expected <= goal || hook.share <= 0) break;
    expected -= hook.share;
    state.hooks.push_back({std::move(hook.rows), hook.share / std::max(load.packets_per_second, 1.0)});
    changed = true;
  }
  return changed;
}

/// Likewise, of what fits beside the highest load of the calm intervals.
bool restore(const OwnLoad& load, const ShedLimits& limits, Shedding& state) {
  double expected = state.peak_share;
  const double goal = limits.budget * kRestoreTo;
  bool changed = false;
  while (!state.hooks.empty()) {
    expected += state.hooks.back().share_a_packet * state.peak_packets;
    if (expected > goal) return changed;
    state.hooks.pop_back();
    changed = true;
  }
  double sampling = load.sampling;
  while (state.halvings > 0) {
    expected += sampling;
    if (expected > goal) return changed;
    sampling *= 2;
    --state.halvings;
    changed = true;
  }
  return changed;
}

void begin_to_settle(Shedding& state) {
  state.settling = true;
  state.calm = 0;
  state.peak_share = state.peak_packets = 0;
}

}  // namespace

Shedding decide_shedding(const OwnLoad& load, const ShedLimits& limits, Shedding state) {
  state.patience = std::max(state.patience, kFewestCalm);
  if (state.settling) {
    state.settling = false;
    return state;
  }
  if (load.total() > limits.budget) {
    if (state.trial) state.patience = std::min(2 * state.patience, kMostCalm);
    state.trial = false;
    begin_to_settle(state);
    state.settling = shed(load, limits, state);
    state.exhausted = !state.settling;
    return state;
  }
  state.exhausted = false;
  ++state.calm;
  state.peak_share = std::max(state.peak_share, load.total());
  state.peak_packets = std::max(state.peak_packets, load.packets_per_second);
  if (state.calm < state.patience) return state;
  // What came back stayed for as long as it had to wait.
  if (state.trial) state.patience = kFewestCalm;
  state.trial = false;
  if (restore(load, limits, state)) {
    begin_to_settle(state);
    state.trial = true;
  } else if (!state.full_detail()) {
    // A peak that is long ago is to stand in nobody's way.
    state.calm = 0;
    state.peak_share = state.peak_packets = 0;
  }
  return state;
}

}  // namespace nettoll
