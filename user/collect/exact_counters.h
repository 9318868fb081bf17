// SPDX-License-Identifier: Apache-2.0
// Exact mode: reads the clock and the PMU at entry and exit of chosen functions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu_set.h"
#include "base/result.h"
#include "collect/exact_plan.h"
#include "collect/perf_event_spec.h"
#include "model/exact.h"

namespace nettoll {

struct ExactConfig {
  ExactRequest request;
  std::vector<EventSpec> events;  ///< from exact_events()
  FunctionEntries entries;
  CpuSet cpus;             ///< where events are opened, and whose calls are told
  uint32_t cpu_limit = 0;  ///< one more than the largest possible CPU id
};

/// Owns programs, links, counters and maps. Everything is gone with it.
class ExactCounters {
 public:
  /// Measures the own cost, then attaches all but the entries of tracepoint pairs. To be called before other
  /// programs of ours are attached, so that none of them runs between the two readings: the kernel calls the
  /// newest fentry and fexit programs first, and those of a tracepoint by age. Functions that cannot be
  /// hooked are in notes(). Errors: no function can be hooked, the programs do not load.
  static Result<ExactCounters> attach(const ExactConfig& config);

  ExactCounters(ExactCounters&&) noexcept;
  ExactCounters& operator=(ExactCounters&&) noexcept;
  ~ExactCounters();

  /// Attaches the rest. To be called after all other programs of ours are attached.
  Status start();

  /// Appends a row for each function and measure: what ended since the last read.
  void read(std::vector<ExactCost>& costs);

  /// A sentence for each thing that could not be had.
  const std::vector<std::string>& notes() const;
  /// The programs and their trampolines as kallsyms lists them.
  const std::vector<std::string>& program_symbols() const;
  /// How many descriptors that takes, at most, with so many events.
  static uint64_t descriptors(const ExactConfig& config, size_t events);

 private:
  struct State;
  explicit ExactCounters(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace nettoll
