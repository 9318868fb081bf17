// SPDX-License-Identifier: Apache-2.0
// Decodes the records that the kernel writes into a perf ring. Pure: words in, calls out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace nettoll {

/// One sample. `ip` and `callers` together are the stack: kernel addresses, innermost first, or kUserFrame or
/// kGuestFrame alone. `callers` points into the record and lives as long as the call.
struct Sample {
  uint64_t id = 0;  ///< of the event on its CPU (PERF_EVENT_IOC_ID)
  uint32_t pid = 0;
  uint32_t tid = 0;
  uint32_t cpu = 0;
  uint64_t time_ns = 0;  ///< CLOCK_MONOTONIC
  uint64_t period = 0;
  uint64_t ip = 0;
  std::span<const uint64_t> callers;
  std::optional<uint64_t> link_register;  ///< as it was in kernel mode, where the architecture has one
};

/// Receives what a record says.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  /// The period of an event whose samples have no such field; 0 for all others.
  virtual uint64_t fixed_period(uint64_t) const { return 0; }
  virtual void on_sample(const Sample& sample) = 0;
  /// PERF_RECORD_LOST: `count` records of any event of this ring found no room. `id` is only the event
  /// that wrote next.
  virtual void on_lost(uint64_t id, uint64_t count) = 0;
  /// PERF_RECORD_LOST_SAMPLES: the PMU's own buffer lost samples of this event.
  virtual void on_lost_samples(uint64_t id, uint64_t count) = 0;
  /// The event was stopped, and went on again: it does not count in between, and its times go on.
  virtual void on_throttle(uint64_t id, uint64_t time_ns) = 0;
  virtual void on_unthrottle(uint64_t id, uint64_t time_ns) = 0;
  /// A record that one of the calls above just told of, or the name of a thread, as it is; for who keeps
  /// records.
  virtual void on_record(std::span<const uint64_t>) {}
  /// A record that is too short for its type, or of no known type.
  virtual void on_unmatched() = 0;
};

/// Decodes one record, header included, of events opened with make_attr(). Record types of the kernel
/// that nettoll does not ask for are passed over; nonsense is on_unmatched().
void decode_record(std::span<const uint64_t> record, RecordSink& sink);

/// The id of the event that a record of decode_record() is about.
uint64_t event_id_in(std::span<const uint64_t> record);

}  // namespace nettoll
