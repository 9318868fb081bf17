// SPDX-License-Identifier: Apache-2.0
// Counts calls of functions: one small program each, cloned from one template, all counting into one mapped
// array.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "collect/attach_plan.h"
#include "model/raw_batch.h"

namespace nettoll {

/// Owns the programs, their links and the mapped counters. Everything is gone with it: links die with their
/// descriptors, also when the process is killed.
class FunctionCounters {
 public:
  /// Loads and attaches a program for each row that needs a hook. A row whose program fails falls back to
  /// samples and keeps the kernel's reason in its condition. `cpu_limit` is one more than the largest
  /// possible CPU id.
  static Result<FunctionCounters> attach(std::vector<PlanRow>& rows, uint32_t cpu_limit);

  FunctionCounters(FunctionCounters&&) noexcept;
  FunctionCounters& operator=(FunctionCounters&&) noexcept;
  ~FunctionCounters();

  /// Appends the calls since the last read, `function` being the row's index.
  void read(RawBatch& batch);
  /// The programs and their trampolines as kallsyms lists them.
  const std::vector<std::string>& program_symbols() const;

 private:
  struct State;
  explicit FunctionCounters(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace nettoll
