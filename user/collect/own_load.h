// SPDX-License-Identifier: Apache-2.0
// What nettoll's own code takes of the host: how often it ran times what a run costs. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collect/attach_plan.h"
#include "model/raw_batch.h"

namespace nettoll {

/// Runs of our code on the whole host.
struct OwnRuns {
  uint64_t net_path = 0;        ///< of the net path programs
  std::vector<uint64_t> hooks;  ///< by row of the plan: of its own hook; 0 where it has none
  uint64_t samples = 0;
  uint64_t packets = 0;  ///< received and sent, which cause them

  void add(const OwnRuns& more);
  bool operator==(const OwnRuns&) const = default;
};

/// The runs of one window: the net path's programs run once for each packet received or sent, poll and drop,
/// and at both ends of a softirq.
OwnRuns own_runs(const RawBatch& batch, const std::vector<PlanRow>& rows);

/// What one run takes, in nanoseconds, with what the kernel does to get there.
struct RunCosts {
  std::array<double, 4> hook_ns{};  ///< by Method, without Method::samples
  double sample_ns = 0;
};

/// Hooks that come and go together, and the part of all CPU time that they take.
struct HookLoad {
  std::vector<uint32_t> rows;
  double share = 0;

  bool operator==(const HookLoad&) const = default;
};

/// Parts of all CPU time, of all online CPUs together.
struct OwnLoad {
  double user = 0;      ///< our process, in the kernel too
  double net_path = 0;  ///< its programs
  double sampling = 0;  ///< the interrupts that take samples
  std::vector<HookLoad> hooks;
  double packets_per_second = 0;

  double programs() const;
  double total() const { return user + programs() + sampling; }
};

/// The load of `runs` in `window_ns` on `cpus` CPUs, while the process took `user_ns` of CPU time. A row has
/// its hooks for itself, but all of kprobe.multi share one link.
OwnLoad own_load(const OwnRuns& runs, const std::vector<PlanRow>& rows, const RunCosts& costs, double user_ns,
                 double window_ns, uint32_t cpus);

}  // namespace nettoll
