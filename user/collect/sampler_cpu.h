// SPDX-License-Identifier: Apache-2.0
// The events of one CPU and the ring that they share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "collect/perf_attr.h"
#include "collect/perf_event_fd.h"
#include "collect/perf_open_error.h"
#include "collect/perf_ring.h"
#include "collect/sampler_plan.h"
#include "collect/scaling_error.h"
#include "collect/throttle_clock.h"
#include "model/event.h"

namespace nettoll {

/// What is the same for every event that is opened.
struct OpenSettings {
  uint16_t max_stack = 127;
  size_t ring_bytes = 0;
  bool counts_lost = false;
  bool thread_names = false;  ///< SamplingConfig's, of the first event on each CPU: one tells of all threads
  OpenContext context;
};

/// Owns one CPU's events. The first that opens owns the ring; the others write into it.
class SamplerCpu {
 public:
  explicit SamplerCpu(uint32_t cpu) : cpu_(cpu) {}

  uint32_t cpu() const { return cpu_; }
  bool empty() const { return events_.empty(); }

  /// Opens one event on this CPU, disabled. `event` is the caller's index. The error has errno, and a
  /// sentence for a person as message; ENODEV if no target of the event has this CPU, or the CPU is offline.
  Status open(uint32_t event, const EventRequest& request, const OpenSettings& settings);
  /// Closes the event if it was the last to be opened here, else does nothing.
  void close_last(uint32_t event);

  void enable();
  void disable();
  void drain(RecordSink& sink);

  /// How long an event was kept from counting, to be told of its records; null for an unknown one.
  ThrottleClock* throttle_clock(uint64_t id);

  /// The event that an id of this CPU belongs to; empty for an unknown one.
  std::optional<uint32_t> event_of(uint64_t id) const;
  /// The period of an event whose samples do not say it; 0 for all others.
  uint64_t fixed_period(uint64_t id) const;
  /// True if the event's lost samples are known from its descriptor, which are then not to be taken from
  /// records.
  bool counts_lost() const { return !events_.empty() && events_.front().fd.counts_lost(); }

  /// Differences since the last call.
  struct Delta {
    EventCount count;
    uint64_t lost = 0;
  };
  /// Looks at the events that may have to share a hardware counter, for the error of scaling them. Returns
  /// whether one did since the last call.
  bool observe();
  /// Appends a row for each event that was enabled since the last call. Returns whether there was one: where
  /// none of a CPU's enabled events has been, the CPU was taken away and the kernel closed its events.
  bool read(std::vector<Delta>& deltas);

  /// To poll for the watermark, or -1.
  int poll_fd() const { return events_.empty() ? -1 : events_.front().fd.get(); }

 private:
  struct OpenEvent {
    uint32_t event = 0;
    PerfEventFd fd;
    bool may_share = false;
    uint64_t fixed_period = 0;  ///< where its samples do not say
    ThrottleClock throttle;
    PerfReading last;      ///< as of read()
    PerfReading observed;  ///< as of observe()
    ScalingError scaling;  ///< since read()
  };

  static std::optional<PerfReading> reading(const OpenEvent& event);

  uint32_t cpu_;
  std::vector<OpenEvent> events_;
  PerfRing ring_;
};

}  // namespace nettoll
