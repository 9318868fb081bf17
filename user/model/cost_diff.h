// SPDX-License-Identifier: Apache-2.0
// Two cost tables against each other: what changed from A to B, and whether chance explains it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/cost_table.h"
#include "model/event.h"
#include "model/foreign.h"
#include "model/function.h"
#include "model/net.h"

namespace nettoll {

/// What a cost is divided by, so that two windows compare.
enum class DiffPer : uint8_t {
  packet,  ///< packets of the path that both windows have more of, rx or tx
  call,    ///< calls of the function; totals, paths and modules then take the best of the others
  second,  ///< seconds of the window
  share,   ///< the event's total in the window
};

/// One cost in both windows. A side without a sample is absent, not 0.
struct Change {
  std::optional<double> a;
  std::optional<double> b;
  uint64_t samples_a = 0;
  uint64_t samples_b = 0;
  /// Standard error of b - a if nothing had changed. Empty where it was not tested: too few samples.
  std::optional<double> standard_error;
  double p = 1;  ///< of a difference like this by chance; 1 where not tested
  double q = 1;  ///< the same for the whole table: the false discovery rate at which this one is named
  bool significant = false;  ///< q is low enough and the change is not too small to matter

  double difference() const { return b.value_or(0) - a.value_or(0); }
  double larger() const { return std::max(a.value_or(0), b.value_or(0)); }
  /// The difference as a part of A; empty where A has none.
  std::optional<double> relative() const {
    if (!a || !(*a > 0)) return std::nullopt;
    return difference() / *a;
  }
  bool operator==(const Change&) const = default;
};

/// A function in both windows, or in one.
struct FunctionChange {
  Symbol symbol;                   ///< as B calls it, or A where only A has it
  std::optional<Symbol> symbol_a;  ///< where A has another name or module for it
  bool in_a = false;
  bool in_b = false;
  /// Not tested where the symbol is code without a name: what it is on either side nobody knows.
  Change self;
  Change inclusive;  ///< both sides absent where one has no call chains
  Change per_call;   ///< inclusive cost a call; both sides absent where the calls do not compare
  std::optional<uint64_t> calls_a;
  std::optional<uint64_t> calls_b;
  bool named = false;  ///< asked for by name

  bool significant() const { return self.significant || inclusive.significant; }
  bool operator==(const FunctionChange&) const = default;
};

struct PathChange {
  Path path = Path::other;
  Change cost;
  std::optional<uint64_t> packets_a;
  std::optional<uint64_t> packets_b;

  bool operator==(const PathChange&) const = default;
};

/// A module of which one side names more than the other, so that its functions are not compared.
struct UnevenNames {
  std::string module;  ///< a program or library by its file's name; "" for code of no known module
  uint64_t samples_a = 0;
  uint64_t samples_b = 0;
  /// Part of those samples whose code has no name. Empty where the side has none: what it has of the module
  /// is then among code whose module is not known.
  std::optional<double> unnamed_a;
  std::optional<double> unnamed_b;

  bool operator==(const UnevenNames&) const = default;
};

struct ModuleChange {
  std::string module;
  Change self;

  bool operator==(const ModuleChange&) const = default;
};

/// One event that both windows have.
struct EventDiff {
  std::string name;
  uint32_t in_a = 0;  ///< its place in A's session
  uint32_t in_b = 0;
  EventUnit unit = EventUnit::count;
  Change total;  ///< of all compared paths together
  /// The smallest relative change of the total that would be seen four times in five; empty where it was not
  /// tested.
  std::optional<double> visible;
  /// How far the typical function moved beyond the chance of sampling, as a part of its cost. A function has
  /// to move further than that to be named.
  double spread = 0;
  size_t tested = 0;  ///< functions with samples enough
  std::vector<PathChange> paths;
  std::vector<ModuleChange> modules;
  std::vector<FunctionChange> functions;  ///< the significant first, then the largest change of self cost

  bool operator==(const EventDiff&) const = default;
};

/// Packets dropped for one reason. Counts are exact; how the load differed is not in them, so nothing is
/// tested.
struct DropChange {
  std::string reason;
  std::string subsystem;
  uint64_t packets_a = 0;
  uint64_t packets_b = 0;
  /// By what the totals are divided: packets or seconds.
  double rate_a = 0;
  double rate_b = 0;

  bool operator==(const DropChange&) const = default;
};

/// What one side is.
struct DiffSide {
  std::string file;
  std::string host;
  std::string kernel;
  std::string tool;  ///< "nettoll", or the other tool's
  uint64_t duration_ns = 0;
  std::optional<uint64_t> packets;  ///< that costs are divided by
  Ending ending = Ending::whole;    ///< of another tool's capture

  bool operator==(const DiffSide&) const = default;
};

/// The whole comparison.
struct CostDiff {
  DiffSide a;
  DiffSide b;
  DiffPer per = DiffPer::share;         ///< of functions
  DiffPer totals_per = DiffPer::share;  ///< of totals, paths, modules and drops; never call
  std::optional<Path> packet_path;      ///< whose packets, where any are the divisor
  std::vector<Path> paths;              ///< that were compared
  /// False where one side lacks what paths and idle time are told by, which is names of the kernel, or call
  /// chains: then all paths are compared together, and no total judges a change.
  bool paths_compare = true;
  std::vector<UnevenNames> uneven_names;  ///< whose functions are not compared; most samples first
  std::vector<std::string> not_compared;  ///< functions asked for by name whose module is among those
  std::vector<EventDiff> events;          ///< the first is the headline
  /// Empty where one side does not count drops, or has other reasons for them.
  std::optional<std::vector<DropChange>> drops;
  std::vector<std::string> notes;  ///< what a reader has to know before he believes any of it

  bool operator==(const CostDiff&) const = default;
};

}  // namespace nettoll
