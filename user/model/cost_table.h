// SPDX-License-Identifier: Apache-2.0
// The join's result: what each function, path, CPU and module cost.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/event.h"
#include "model/function.h"
#include "model/net.h"

namespace nettoll {

/// An amount of events estimated from samples.
struct Estimate {
  /// Below this many samples a value is marked as too few: its relative standard error is over 25%.
  static constexpr uint64_t kEnough = 16;

  double value = 0;
  uint64_t samples = 0;

  /// Relative standard error of a count of n samples, 1/sqrt(n); infinite for none.
  double relative_error() const {
    return samples == 0 ? INFINITY : 1 / std::sqrt(static_cast<double>(samples));
  }
  bool too_few() const { return samples < kEnough; }
  void add(const Estimate& other) {
    value += other.value;
    samples += other.samples;
  }
  bool operator==(const Estimate&) const = default;
};

/// What a function cost in one path, for one event: by itself, and with all that it called.
struct FunctionCell {
  Path path = Path::other;
  uint32_t event = 0;
  Estimate self;
  Estimate inclusive;

  bool operator==(const FunctionCell&) const = default;
};

/// One function. Where calls are not counted `calls` is empty, never 0.
struct FunctionCost {
  Symbol symbol;
  std::optional<uint64_t> calls;
  Method method = Method::samples;
  std::string condition;            ///< see CountedFunction
  bool denominator = false;         ///< whether `calls` may divide a cost
  std::vector<FunctionCell> cells;  ///< sorted by (event, path); only what was sampled

  /// Summed over all paths, or over one.
  Estimate self(uint32_t event, std::optional<Path> path = {}) const;
  Estimate inclusive(uint32_t event, std::optional<Path> path = {}) const;
  /// Inclusive events a call; empty where the calls may not divide it or there are none.
  std::optional<double> per_call(uint32_t event) const;

  bool operator==(const FunctionCost&) const = default;
};

/// One path. Packets are empty where the path's packets are not counted (send, receive, timer, other).
struct PathCost {
  Path path = Path::other;
  std::optional<uint64_t> packets;
  std::optional<uint64_t> segments;
  std::vector<Estimate> events;  ///< by event index

  std::optional<double> per_packet(uint32_t event) const;
  bool operator==(const PathCost&) const = default;
};

/// One event as a whole.
struct EventTotal {
  uint32_t event = 0;
  double count = 0;  ///< exact count, scaled by enabled/running, summed over CPUs
  uint64_t samples = 0;
  /// Counted on CPUs where the window has no sample of it, and time in which a timer was silent: in `count`,
  /// in no function.
  double unattributed = 0;
  /// Smallest running/enabled of all CPUs; empty when it never ran, which makes the event unknown, not 0.
  /// 0 where it ran on some CPUs and never on another, which `count` then lacks.
  std::optional<double> running_ratio;
  /// Standard error of `count` for the time without a counter: 0 where there was none, empty where unknown.
  std::optional<double> scaling_error;
  /// With windows that follow one another: counted up to now and waiting for a sample to be attributed. A
  /// state, not a difference; 0 where windows stand alone.
  double pending = 0;
  /// Counted where samples did not come: on CPUs with samples, what their periods do not add up to. 0 where
  /// it is no more than samples may miss by chance.
  double unsampled = 0;

  /// False where nothing was measured: `count` is then not a number to show.
  bool known() const { return running_ratio.has_value() || samples > 0; }
  bool operator==(const EventTotal&) const = default;
};

/// One CPU and one event, by path.
struct CpuCost {
  uint32_t cpu = 0;
  uint32_t event = 0;
  double count = 0;  ///< scaled
  uint64_t samples = 0;
  std::vector<Estimate> paths;  ///< by Path

  bool operator==(const CpuCost&) const = default;
};

/// Self cost of a module's functions.
struct ModuleCost {
  std::string module;
  std::vector<Estimate> events;  ///< by event index

  bool operator==(const ModuleCost&) const = default;
};

/// The whole result. Derived ratios are functions below, not data.
struct CostTable {
  std::vector<FunctionCost>
      functions;                ///< sorted by inclusive cost of the first event, largest first, then by name
  std::vector<PathCost> paths;  ///< by Path; only those seen or counted
  std::vector<EventTotal> events;   ///< by event index
  std::vector<CpuCost> cpus;        ///< sorted by (cpu, event)
  std::vector<ModuleCost> modules;  ///< sorted by self cost of the first event

  /// The row of a path; null where it was neither seen nor counted.
  const PathCost* path(Path which) const;

  bool operator==(const CostTable&) const = default;
};

}  // namespace nettoll
