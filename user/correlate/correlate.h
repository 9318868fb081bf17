// SPDX-License-Identifier: Apache-2.0
// The join: exact counts and samples become what each function, path, CPU and module cost.
//
// For event e on CPU c, N is the exact count scaled by enabled/running, and a sample of period p weighs
// p * N / sum(p). So the weights of a window add up to N, whatever the sampling rate was, and samples that
// were lost take nothing from the total. Pure arithmetic: no input or output, no clock.
//
// Cost: one pass over the rows and one over the frames of the stacks in use; accumulators are arrays. A
// window of 126,000 rows, 50,000 stacks of 25 frames, 256 CPUs and 5 events: see tests/bench/tick_bench.cc.
#pragma once

#include <vector>

#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll {

/// Counts of windows that had no sample of the event on the CPU, kept for the next window that has one. On a
/// quiet CPU an event is counted every second and sampled every minute: without this, what such CPUs did
/// would never reach a function.
struct Carry {
  std::vector<std::vector<double>> waiting;  ///< [event][cpu], events
};

/// Joins one window. Indexes in `profile` (events, stacks, symbols, functions) must be in range, as those who
/// build profiles guarantee.
///
/// Without `carry` the window stands alone, and counts without samples are in EventTotal::unattributed. With
/// it they wait there and are in EventTotal::pending. Time in which a timer was silent waits for nothing. An
/// event that never had a hardware counter on a CPU (running 0) is absent there. Where samples came without a
/// usable count, their periods stand for it.
CostTable correlate(const Profile& profile, Carry* carry = nullptr);

}  // namespace nettoll
