// SPDX-License-Identifier: Apache-2.0
// Counts calls in slices of the time, for functions that would cost too much to count always.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "collect/attach_plan.h"
#include "collect/function_counters.h"
#include "collect/own_load.h"
#include "collect/slice_estimate.h"
#include "collect/slice_turns.h"
#include "model/estimated_calls.h"

namespace nettoll {

/// Owns the hooks of the functions that are counted in slices. Programs stay loaded; links come and go. Those
/// of kprobe.multi, which come and go at once, are in every slice, and the others take turns.
class CallSlices {
 public:
  /// Tries all hooks of `rows` once, so that rows() says what becomes of them. `cpu_limit` is one more than
  /// the largest possible CPU id, `cpu` one that is online.
  static Result<CallSlices> create(std::vector<PlanRow> rows, uint32_t cpu_limit, uint32_t cpu);

  /// The rows of the plan; those with hooks are counted in slices.
  const std::vector<PlanRow>& rows() const { return rows_; }
  /// Their numbers.
  std::vector<uint32_t> hooked() const;
  std::vector<std::string> program_symbols() const { return counters_.program_symbols(rows_); }

  /// Begins a slice, with as many hooks as can come and go in `room`; `packets` is what passed since the
  /// start, once called.
  template <typename Packets>
  Status begin(uint32_t cpu, std::chrono::nanoseconds room, const Packets& packets) {
    if (auto ok = attach_turn(cpu, room); !ok) return ok;
    discard_counts();
    packets_ = packets();
    return {};
  }
  /// Ends it, `packets` being the same; of no effect where none is open. Both ends read packets after calls,
  /// which takes equally long, so that both are of equally long times.
  template <typename Packets>
  void end(const Packets& packets) {
    if (!open_) return;
    RawBatch counted;
    counters_.read(rows_, counted);
    add_slice(counted, packets() - packets_);
    detach_turn();
  }
  bool is_open() const { return open_; }

  /// The `changed` ones of the rows are those of `rows` now, since a module came or went. No slice is open.
  Status follow(const std::vector<PlanRow>& rows, const std::vector<uint32_t>& changed, uint32_t cpu);

  /// `packets` more passed.
  void add_packets(uint64_t packets) { estimate_.add_packets(packets); }
  /// See SliceEstimate; of functions that are counted in slices.
  std::vector<EstimatedCalls> take_estimates();
  /// Appends what the slices since the last call missed.
  void take_losses(std::vector<Loss>& losses);
  /// The runs of the slices since the last call, by row.
  std::vector<uint64_t> take_runs();

 private:
  CallSlices(std::vector<PlanRow> rows, FunctionCounters counters)
      : rows_(std::move(rows)), counters_(std::move(counters)) {}
  std::vector<uint32_t> hooked_together() const;
  std::vector<uint32_t> hooked_alone() const;
  Status attach_turn(uint32_t cpu, std::chrono::nanoseconds room);
  void detach_turn();
  void discard_counts();
  void add_slice(const RawBatch& counted, uint64_t packets);

  std::vector<PlanRow> rows_;
  FunctionCounters counters_;
  SliceEstimate estimate_;
  SliceTurns turns_;
  std::vector<uint64_t> runs_;
  std::vector<Loss> losses_;
  bool open_ = false;
  std::vector<uint32_t> turn_;        ///< the rows of the slice that is open
  size_t alone_ = 0;                  ///< how many of them have hooks of their own
  std::chrono::nanoseconds took_{0};  ///< to attach them
  uint64_t packets_ = 0;              ///< when the slice began
};

}  // namespace nettoll
