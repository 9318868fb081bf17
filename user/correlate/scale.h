// SPDX-License-Identifier: Apache-2.0
// From exact counts and sampled periods to the weight of a sample, per event and CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "correlate/correlate.h"
#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll {

/// One event on one CPU over the window.
struct CounterScale {
  double count = 0;    ///< events of this window, scaled by enabled/running
  bool known = false;  ///< whether `count` was measured
  /// Variance that comes of the scaling; empty where that is not known.
  std::optional<double> scaling_variance = 0;
  uint64_t samples = 0;
  double period = 0;      ///< sum of the samples' periods; those of a damaged capture may pass 2^64
  double enabled_ns = 0;  ///< of the rows that could be used, and of those that never ran
  double running_ns = 0;
  /// A sample row weighs period * per_period + samples * per_sample.
  double per_period = 0;
  double per_sample = 0;

  double weight(const StackSamples& row) const {
    return static_cast<double>(row.period) * per_period + row.samples * per_sample;
  }
};

/// CounterScale by (event, CPU).
class ScaleTable {
 public:
  ScaleTable(size_t events, size_t cpus) : cpus_(cpus), cells_(events * cpus) {}

  size_t cpus() const { return cpus_; }
  CounterScale& at(uint32_t event, uint32_t cpu) { return cells_[event * cpus_ + cpu]; }
  const CounterScale& at(uint32_t event, uint32_t cpu) const { return cells_[event * cpus_ + cpu]; }

 private:
  size_t cpus_;
  std::vector<CounterScale> cells_;
};

/// Scales the counts of a window. `totals` gets one row an event; `carry` may be null (see correlate()).
ScaleTable scale_counts(const Profile& profile, Carry* carry, std::vector<EventTotal>& totals);

}  // namespace nettoll
