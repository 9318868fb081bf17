// SPDX-License-Identifier: Apache-2.0
// The events of one CPU and the ring that they share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "collect/perf_attr.h"
#include "collect/perf_event_fd.h"
#include "collect/perf_ring.h"
#include "collect/sampler_plan.h"
#include "model/event.h"

namespace nettoll {

/// Owns one CPU's events. The first that opens owns the ring; the others write into it.
class SamplerCpu {
 public:
  explicit SamplerCpu(uint32_t cpu) : cpu_(cpu) {}

  uint32_t cpu() const { return cpu_; }
  bool empty() const { return events_.empty(); }

  /// Opens one event on this CPU, disabled. `event` is the caller's index. ENODEV if no target of
  /// the event has this CPU. The error has errno and, for a ring that cannot be mapped, says so.
  Status open(uint32_t event, const EventRequest& request, const SamplingConfig& config, size_t ring_bytes,
              bool counts_lost);
  /// Closes an event that was opened last.
  void close_last(uint32_t event);

  void enable();
  void disable();
  void drain(RecordSink& sink);

  /// The event that an id of this CPU belongs to; empty for an unknown one.
  std::optional<uint32_t> event_of(uint64_t id) const;
  /// True if the event's lost samples are known from its descriptor, which are then not to be taken from
  /// records.
  bool counts_lost() const { return counts_lost_; }

  /// Differences since the last call.
  struct Delta {
    EventCount count;
    uint64_t lost = 0;
  };
  /// Appends a row for each event that was enabled since the last call. Returns false if there is an event
  /// that should have been enabled and was not: the CPU was taken away, and its events with it.
  bool read(std::vector<Delta>& deltas, bool expect_enabled);

  /// To poll for the watermark, or -1.
  int poll_fd() const { return events_.empty() ? -1 : events_.front().fd.get(); }

 private:
  struct OpenEvent {
    uint32_t event = 0;
    PerfEventFd fd;
    PerfReading last;
  };

  uint32_t cpu_;
  bool counts_lost_ = false;
  std::vector<OpenEvent> events_;
  PerfRing ring_;
};

}  // namespace nettoll
