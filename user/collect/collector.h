// SPDX-License-Identifier: Apache-2.0
// One live run: counters, net path and sampler started together and read together.
#pragma once

#include <poll.h>

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/kernel_fs.h"
#include "base/result.h"
#include "collect/attach_plan.h"
#include "collect/call_slices.h"
#include "collect/exact_counters.h"
#include "collect/features.h"
#include "collect/function_counters.h"
#include "collect/net_path.h"
#include "collect/own_load.h"
#include "collect/sampler.h"
#include "model/drop_reasons.h"
#include "model/raw_batch.h"
#include "model/session.h"

namespace nettoll {

/// What is asked of a run.
struct CollectorConfig {
  PlanRequest plan;
  SamplerConfig sampler;
  bool count_queues = false;
  ExactRequest exact;
  DropCode drop_code;  ///< see NetPathConfig
  /// Count only the core set and functions named always, and the others of the set in slices.
  bool in_slices = false;
};

/// What can be counted here and how, without attaching anything but trials that are gone at once.
struct CountingPlan {
  std::vector<PlanRow> rows;
  Features features;
  uint32_t drop_reason_argument = 0;
  uint32_t drop_socket_argument = 0;
  DropReasonNames drop_reasons;
  uint32_t cpu = 0;  ///< one that is online, to open kprobes on
};

/// Makes the plan; `functions` is what kallsyms has, for BTF alone does not know copies. `known` saves trying
/// the features again. Errors: no BTF, raw tracepoints refused (nothing can be counted then).
Result<CountingPlan> make_counting_plan(const PlanRequest& request, const FunctionEntries& functions,
                                        const KernelFs& fs, const Features* known = nullptr);

/// The same, with every hook attached for a moment: `rows` are then what really happens here, not what ought
/// to.
Result<CountingPlan> try_counting(const PlanRequest& request, const FunctionEntries& functions,
                                  const KernelFs& fs);

/// Owns everything that runs in the kernel for one session.
class Collector {
 public:
  static Result<Collector> start(const CollectorConfig& config, const FunctionEntries& functions,
                                 const KernelFs& fs);

  /// Host, events and counted functions. `version` is left empty.
  const Session& session() const { return session_; }
  const DropReasonNames& drop_reasons() const { return drop_reasons_; }
  /// kallsyms names of our programs, and the tracepoints that they hook.
  std::vector<std::string> own_programs() const;
  std::vector<std::string> own_tracepoints() const;
  const std::vector<UnavailableEvent>& missing_events() const { return sampler_.missing(); }
  std::vector<perf_event_attr> sampled_attrs() const { return sampler_.attrs(); }

  /// Sleeps until the rings want reading, one of `extra` is ready, or the time is over; then reads the rings.
  /// CPUs that came or went are followed where that can be read: else those that are sampled go on.
  Result<bool> wait(int timeout_ms, std::span<pollfd> extra = {});
  /// Everything since the last read. With -C, what is counted by CPU is that of the chosen CPUs alone, so
  /// that costs and what divides them belong together; drops and queues are those of the host.
  Result<RawBatch> read();
  /// After modules came or went: counts the functions that are new, gives up those that are gone. Then
  /// session(), drop_reasons() and own_programs() are new. What gone functions counted is in the next read().
  Status follow_modules(const FunctionEntries& functions, const KernelFs& fs);
  /// Measures what our code takes here, for own_load() from then on.
  Status measure_costs(const FunctionEntries& functions, const KernelFs& fs);
  /// What our code took since the last call, or since the costs were measured, up to the last read().
  OwnLoad take_own_load();

  /// Detaches the hooks of `rows` and attaches those that were shed before and are not among them. Then
  /// session(), own_programs() and own_tracepoints() are new. What a detached hook counted is in the next
  /// read().
  Status shed_hooks(const std::vector<uint32_t>& rows, const KernelFs& fs);
  /// See Sampler.
  void halve_rates(uint32_t halvings);
  uint32_t most_halvings() const { return sampler_.most_halvings(); }

  /// A slice of the functions that are counted in slices begins, and ends. Of no effect where there are none,
  /// or they are shed. See CallSlices::begin.
  Status begin_slice(std::chrono::nanoseconds room, const KernelFs& fs);
  void end_slice();
  /// Their calls up to the last read(); see SliceEstimate.
  std::vector<EstimatedCalls> take_estimates();

  /// Stops sampling; counting goes on until the object goes.
  void stop_sampling() { sampler_.disable(); }

 private:
  Status make_slices(std::vector<PlanRow> wide, uint32_t cpu_limit, uint32_t cpu);
  void leave_slices_their_hooks(std::vector<PlanRow>& wide) const;
  Status follow_in_slices(const FunctionEntries& functions, const KernelFs& fs);
  std::vector<uint32_t> sliced() const;
  void mark_sliced();

  Collector(Sampler sampler, NetPath net_path, FunctionCounters counters)
      : sampler_(std::move(sampler)), net_path_(std::move(net_path)), counters_(std::move(counters)) {}
  void follow_cpus();

  Sampler sampler_;
  NetPath net_path_;
  FunctionCounters counters_;
  std::optional<ExactCounters> exact_;
  PlanRequest request_;
  Features features_;
  std::vector<PlanRow> rows_;
  std::map<uint32_t, PlanRow> shed_;  ///< by number of row: what it is with its hook
  std::optional<RunCosts> costs_;
  std::optional<CallSlices> slices_;
  OwnRuns runs_;                         ///< since take_own_load()
  std::chrono::nanoseconds own_cpu_{0};  ///< as of then
  uint64_t load_since_ns_ = 0;
  bool slices_shed_ = false;
  Session session_;
  DropReasonNames drop_reasons_;
  std::optional<CpuSet> only_cpus_;
  uint64_t last_read_ns_ = 0;
  uint64_t last_rescan_ns_ = 0;
  bool said_no_rescan_ = false;
};

}  // namespace nettoll
