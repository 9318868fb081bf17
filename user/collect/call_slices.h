// SPDX-License-Identifier: Apache-2.0
// Counts calls in slices of the time, for functions that would cost too much to count always.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "collect/attach_plan.h"
#include "collect/function_counters.h"
#include "collect/own_load.h"
#include "collect/slice_estimate.h"
#include "model/estimated_calls.h"

namespace nettoll {

/// Owns the hooks of the functions that are counted in slices. Programs stay loaded; links come and go.
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

  /// Begins a slice; `packets` is what passed since the start, once called.
  template <typename Packets>
  Status begin(uint32_t cpu, const Packets& packets) {
    if (auto ok = counters_.resume(rows_, hooked(), cpu); !ok) return ok;
    open_ = true;
    discard_counts();
    packets_ = packets();
    return {};
  }
  /// Ends it; of no effect where none is open.
  void end(uint64_t packets);
  bool is_open() const { return open_; }

  /// `packets` more passed.
  void add_packets(uint64_t packets) { estimate_.add_packets(packets); }
  /// See SliceEstimate; of each function that is counted in slices.
  std::vector<EstimatedCalls> take_estimates();
  /// The runs of the slices since the last call, by row.
  std::vector<uint64_t> take_runs();

 private:
  CallSlices(std::vector<PlanRow> rows, FunctionCounters counters)
      : rows_(std::move(rows)), counters_(std::move(counters)) {}
  void discard_counts();

  std::vector<PlanRow> rows_;
  FunctionCounters counters_;
  SliceEstimate estimate_;
  std::vector<uint64_t> runs_;
  uint64_t packets_ = 0;  ///< when the slice began
  bool open_ = false;
};

}  // namespace nettoll
