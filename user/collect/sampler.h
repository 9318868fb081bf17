// SPDX-License-Identifier: Apache-2.0
// Samples and counts perf events on all CPUs.
//
// Every event is opened on every online CPU by itself: no groups, which would need all their counters at once
// and would stop together. Each CPU has one ring; all its events write there. Samples are summed by (event,
// CPU, stack) as they are read, so that memory follows the number of different stacks.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/cpu_set.h"
#include "base/kernel_fs.h"
#include "base/result.h"
#include "collect/perf_attr.h"
#include "collect/record_tap.h"
#include "collect/sampler_cpu.h"
#include "collect/sampler_losses.h"
#include "collect/sampler_plan.h"
#include "collect/stack_aggregator.h"
#include "model/event.h"
#include "model/raw_batch.h"

namespace nettoll {

/// What to sample.
struct SamplerConfig {
  std::vector<EventRequest> events;  ///< from plan_events()
  std::optional<CpuSet> cpus;        ///< -C; empty: all that are online
  uint16_t max_stack = 0;            ///< frames of a stack; 0: what kernel.perf_event_max_stack allows
  /// The longest time between two calls of drain() that the rings are sized for; their watermark wakes wait()
  /// before, should they fill faster.
  uint32_t drain_interval_ms = 1000;
  bool check_pmu = true;  ///< see pmu_check.h
  /// Descriptors that the caller will open later: RLIMIT_NOFILE is raised for them as well.
  uint64_t descriptors_beside = 0;
  AggregatorLimits limits;
  RecordTap* tap = nullptr;  ///< must outlive the sampler
};

/// An event that does not run here, with errno (0 if it was refused for another reason).
struct UnavailableEvent {
  MissingEvent event;
  int code = 0;
};

/// Owns all descriptors and rings of a run. Not thread-safe.
class Sampler {
 public:
  /// Opens everything, disabled. An event that no CPU takes goes to missing(); without any event the
  /// sampler is valid and gives nothing. Raises RLIMIT_NOFILE as needed. Errors: no CPU of -C is online
  /// (usage), /sys/devices/system/cpu/online unreadable.
  static Result<Sampler> open(const SamplerConfig& config, const KernelFs& fs);

  /// The events that run; RawBatch refers to them by their place.
  const std::vector<Event>& events() const { return events_; }
  const std::vector<UnavailableEvent>& missing() const { return missing_; }
  /// What the kernel was asked for, by event; where an event has several PMUs, for the first of them.
  std::vector<perf_event_attr> attrs() const;
  /// What a header should say: events that some CPUs lack, a lowered rate.
  const std::vector<std::string>& notes() const { return notes_; }
  /// The CPUs that are sampled now.
  CpuSet cpus() const;

  void enable();
  void disable();

  /// Reads all rings. To be called after wait() and at least every drain_interval_ms.
  void drain();

  /// Sleeps until a ring passes its watermark, one of `extra` is ready (its revents are set) or the time is
  /// over (-1: no limit). True if a ring or an extra descriptor is ready; false for time-out and signal, and
  /// earlier where events share hardware counters, which are looked at on the way.
  Result<bool> wait(int timeout_ms, std::span<pollfd> extra = {});

  /// Appends what came since the last read: samples with their stacks, counts, losses. Drains first. Leaves
  /// the batch's times alone.
  void read(RawBatch& batch);

  /// Samples at the rates that were asked for, halved so many times. Opens all events anew, since a clock
  /// goes on telling its first period whatever period it is set to (perf_swevent_hrtimer in
  /// kernel/events/core.c); what they counted is in the next read(). An event that a CPU then refuses is
  /// noted, as in a rescan.
  void halve_rates(uint32_t halvings);
  /// How often that is possible; see most_halvings().
  uint32_t most_halvings() const { return nettoll::most_halvings(asked_); }

  /// Follows CPUs that came and went since open() or the last rescan, also those that went and came back
  /// between, whose events the kernel had closed. What gone CPUs counted is in the next read(). Fails only if
  /// the list of online CPUs cannot be read.
  Status rescan();

 private:
  Sampler(const SamplerConfig& config, const KernelFs& fs);

  /// A CPU's events; `stalled` once the kernel closed them: not to be polled, to be opened again.
  struct Cpu {
    SamplerCpu events;
    bool stalled = false;
  };

  void lower_rates();
  void drop_lying_pmus();
  void open_event(const EventRequest& request);
  void open_cpu(uint32_t cpu);
  void drain(Cpu& cpu);
  void collect(Cpu& cpu);
  void observe_sharing();
  /// False where it was said before.
  bool note(std::string text);

  KernelFs fs_;
  std::optional<CpuSet> only_;
  OpenSettings settings_;
  bool enabled_ = false;
  bool shared_ = false;  ///< an event shared its counter when last looked at
  std::chrono::steady_clock::time_point observed_;

  std::vector<EventRequest> requests_;  ///< what was asked for
  std::vector<EventRequest> running_;   ///< one for each of events_
  std::vector<SampleRate> asked_;       ///< of each of these the rate before it was halved
  std::vector<Event> events_;
  std::vector<UnavailableEvent> missing_;
  std::vector<std::string> notes_;
  std::map<std::string, std::string> lowered_;  ///< by event: that its rate is not what was asked

  std::vector<Cpu> cpus_;  ///< sorted by id
  StackAggregator aggregator_;
  RecordTap* tap_ = nullptr;
  SampleLosses losses_;
  std::vector<EventCount> counts_;  ///< not yet given to a batch
  std::vector<SamplerCpu::Delta> deltas_;
  std::vector<pollfd> poll_;
};

}  // namespace nettoll
