// SPDX-License-Identifier: Apache-2.0
// What was measured since the start: every tick added up, as counters need it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporters/prometheus/capped_map.h"
#include "exporters/prometheus/diagnosis_totals.h"
#include "model/cost_table.h"
#include "model/drop_class.h"
#include "model/estimated_calls.h"
#include "model/event.h"
#include "model/function.h"
#include "model/net.h"
#include "model/overhead.h"
#include "model/profile.h"

namespace nettoll::exporter {

/// How many series keys of a kind are kept apart; see CappedMap. CPUs, paths, softirq vectors and events need
/// no cap: the host and the command line bound them.
struct SeriesLimits {
  size_t functions = 2000;
  size_t drops = 500;
  size_t napi = 1000;
  size_t losses = 1000;
  size_t queues = 1000;
  size_t layer_drops = 500;
  size_t findings = 200;
};

/// One event of a function, in the event's own unit.
struct FunctionEvent {
  double self = 0;
  double inclusive = 0;
  /// Samples that `inclusive` was estimated from; those of `self` in the entry "other".
  uint64_t samples = 0;
};

inline constexpr size_t kMethodCount = 5;

/// One function, or all that came after the cap. The entry "other" has no inclusive events: functions on one
/// stack would be counted once each.
struct FunctionTotals {
  bool other = false;
  std::array<std::optional<uint64_t>, kMethodCount> calls;  ///< by Method
  std::vector<std::optional<FunctionEvent>> events;         ///< by Totals::events; empty if never sampled
};

/// Calls estimated from slices, and those that were seen in them.
struct EstimateTotals {
  double calls = 0;
  uint64_t seen = 0;
};

/// By Path; empty where it was never counted or sampled.
template <typename T>
using ByPath = std::array<std::optional<T>, kPathCount>;

struct PathTotals {
  ByPath<uint64_t> packets;
  ByPath<uint64_t> segments;
  std::vector<ByPath<double>> events;  ///< by Totals::events
};

struct CpuTotals {
  std::vector<std::optional<double>> events;  ///< exact counts, by Totals::events
  ByPath<uint64_t> packets;
  ByPath<double> clock;  ///< nanoseconds of the clock event
};

struct NapiTotals {
  uint64_t polls = 0;
  uint64_t packets = 0;
  uint64_t budget_exhausted = 0;
};

struct SoftirqTotals {
  uint64_t runs = 0;
  uint64_t ns = 0;
};

/// One event, found again by its name in each tick.
struct EventTotals {
  std::string name;
  EventUnit unit = EventUnit::count;
  /// Of the last tick; empty when it did not run then.
  std::optional<double> running_ratio;
  /// Counted where no sample was taken; empty until it first ran.
  std::optional<double> unattributed;
};

/// What the last tick said of the session; counts nothing.
struct SessionFacts {
  std::string kernel;
  std::string arch;
  std::string set;
  double hooks_per_packet = 0;
  std::map<std::pair<CountState, Method>, uint64_t> functions;
  std::map<std::string, bool> event_available;
  /// End of the last window, seconds since the epoch.
  double end_seconds = 0;
};

/// Everything that is exported, as plain numbers. Counters only rise.
struct Totals {
  explicit Totals(const SeriesLimits& limits)
      : functions(limits.functions),
        estimates(limits.functions),
        drops(limits.drops),
        napi(limits.napi),
        queues(limits.queues),
        losses(limits.losses),
        diagnosis(limits.layer_drops, limits.findings) {}

  uint64_t changes = 0;  ///< rises with each addition of any kind
  uint64_t ticks = 0;
  uint64_t window_ns = 0;  ///< the ticks' durations
  std::vector<EventTotals> events;
  /// The event that stands for CPU time: cpu-clock, or else the first that counts nanoseconds.
  std::optional<size_t> clock;
  CappedMap<2, FunctionTotals> functions;  ///< function, module
  CappedMap<3, EstimateTotals> estimates;  ///< function, module, method
  PathTotals paths;
  std::map<uint32_t, CpuTotals> cpus;  ///< by CPU id
  CappedMap<4, uint64_t> drops;        ///< reason, function, protocol, device; losses alone
  std::map<DropClass, uint64_t> noise_drops;
  CappedMap<2, NapiTotals> napi;                                            ///< device, cpu
  CappedMap<2, uint64_t> queues;                                            ///< device, queue
  std::map<std::pair<std::string_view, uint32_t>, SoftirqTotals> softirqs;  ///< softirq_name(), CPU id
  CappedMap<2, uint64_t> losses;                                            ///< name_of(LossKind), subject
  std::optional<SessionFacts> session;
  std::optional<Overhead> overhead;  ///< of the last interval; empty where there is no budget
  DiagnosisTotals diagnosis;
};

/// Adds ticks up. Pure state: no clock, no I/O. A copy is a snapshot.
///
/// Which functions become series: those whose calls are counted, and those that were seen inside a network
/// path. A counted function brings its cost in every path, so that it matches its calls; any other brings
/// what it cost inside network paths alone, or else `do_idle`, on whose stack softirqs run, would bring the
/// idle time. What ran in nettoll's own programs (Path::own) belongs to no function.
class Cumulative {
 public:
  explicit Cumulative(const SeriesLimits& limits = {}) : totals_(limits) {}

  /// `costs` is the join of `profile`. Amounts that are no positive number add nothing.
  void add(const Profile& profile, const CostTable& costs);
  void add(const DiagnosedWindow& window);
  void add(const std::vector<EstimatedCalls>& calls);
  void set(const std::optional<Overhead>& overhead);
  /// The host's counters could not be read: what was found is not known to hold any more.
  void diagnosis_failed();
  const Totals& totals() const { return totals_; }

 private:
  Totals totals_;
};

}  // namespace nettoll::exporter
