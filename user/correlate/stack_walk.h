// SPDX-License-Identifier: Apache-2.0
// The walk over the stacks of a window: the only part of the join whose work grows with samples and frames.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "correlate/function_sums.h"
#include "correlate/scale.h"
#include "model/profile.h"

namespace nettoll {

/// Sums the weights of samples by function and by CPU, each split by path and event. Keeps references to what
/// it was made of.
class StackWalk {
 public:
  /// `first` as first_of_each_symbol() gives it.
  StackWalk(const Profile& profile, const ScaleTable& scale, std::span<const uint32_t> first);

  void run();

  const FunctionSums& functions() const { return sums_; }
  std::span<const Estimate> cpu_paths(uint32_t event, uint32_t cpu) const {
    return {cpu_paths_.data() + (event * scale_.cpus() + cpu) * kPathCount, kPathCount};
  }
  /// Cost of samples without any frame: in no function and no path.
  double frameless(uint32_t event) const { return frameless_[event]; }

 private:
  /// What one stack took of one event, over all CPUs.
  struct StackCost {
    uint32_t event;
    Estimate cost;
  };

  /// One row of samples, without what only the CPU sums need.
  struct Weighed {
    double value = 0;
    uint32_t event = 0;
    uint32_t samples = 0;
  };

  std::vector<Path> paths_of_stacks() const;
  void add_to_cpu(const StackSamples& row, Path path, double weight);
  /// Leaves a stack's cost by event in `costs_`.
  void fold_events(std::span<const Weighed> rows);
  /// Adds `costs_` to the functions of the stack, which is not empty.
  void add_to_functions(uint32_t stack, Path path);

  const Profile& profile_;
  const ScaleTable& scale_;
  std::span<const uint32_t> first_;
  std::vector<uint16_t> roles_;
  size_t events_;
  FunctionSums sums_;
  std::vector<Estimate> cpu_paths_;  ///< by (event, CPU, path)
  std::vector<double> frameless_;    ///< by event
  std::vector<uint32_t> seen_in_;    ///< by symbol: 1 + the last stack that held it
  std::vector<Estimate> by_event_;   ///< scratch, all zero between stacks
  std::vector<StackCost> costs_;     ///< scratch: the stack at hand, only events that it has
};

}  // namespace nettoll
