// SPDX-License-Identifier: Apache-2.0
// Counts calls of functions: small programs at their entries, all counting into one mapped array.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "collect/attach_plan.h"
#include "model/raw_batch.h"

namespace nettoll {

/// Owns the programs, their links and the mapped counters. Everything is gone with it: links die with their
/// descriptors, also when the process is killed.
class FunctionCounters {
 public:
  /// Loads and attaches a program for each row that needs a hook; rows go down their ladders as the kernel
  /// refuses. `cpu_limit` is one more than the largest possible CPU id, `cpu` one that is online.
  static Result<FunctionCounters> attach(std::vector<PlanRow>& rows, uint32_t cpu_limit, uint32_t cpu);

  FunctionCounters(FunctionCounters&&) noexcept;
  FunctionCounters& operator=(FunctionCounters&&) noexcept;
  ~FunctionCounters();

  /// Attaches the `changed` ones of the same rows anew, after what they were has come or gone with a module.
  /// What was counted until now is in the next read. `cpu` is one that is online now. Fails where the
  /// template cannot be loaded.
  Status reattach(std::vector<PlanRow>& rows, const std::vector<uint32_t>& changed, uint32_t cpu);

  /// Detaches the hooks of `numbers` and keeps their programs, so that they can be back soon. Rows of
  /// kprobe.multi go together, whose link goes once none of them is left. What was counted until now is in
  /// the next read.
  void pause(const std::vector<PlanRow>& rows, const std::vector<uint32_t>& numbers);
  /// Attaches them again, or for the first time; a row that the kernel refuses goes down its ladder.
  Status resume(std::vector<PlanRow>& rows, const std::vector<uint32_t>& numbers, uint32_t cpu);

  /// Appends the calls since the last read, `function` being the row's index.
  void read(const std::vector<PlanRow>& rows, RawBatch& batch);
  /// The programs and their trampolines as kallsyms lists them.
  std::vector<std::string> program_symbols(const std::vector<PlanRow>& rows) const;

 private:
  struct State;
  explicit FunctionCounters(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace nettoll
