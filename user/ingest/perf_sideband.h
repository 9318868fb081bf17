// SPDX-License-Identifier: Apache-2.0
// The first walk over a perf.data: all records but samples.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ingest/captured_sample.h"
#include "ingest/comm_history.h"
#include "ingest/field_reader.h"
#include "ingest/perf_data.h"
#include "ingest/perf_header.h"
#include "ingest/record_stream.h"

namespace nettoll {

/// The names in a section of event types, or in one PERF_RECORD_HEADER_EVENT_TYPE, which perf wrote up
/// to 3.10: struct perf_trace_event_type, a config and a name of 64 bytes.
void parse_event_types(std::span<const uint8_t> bytes, std::endian order, EventTable& events);

/// Fills in what a capture holds beside its samples. Keeps references to what it is made of; `comms` may be
/// null.
class PerfSideband {
 public:
  PerfSideband(PerfDataCapture& capture, const PerfHeader& header, FeatureFacts& features, CommHistory* comms)
      : capture_(capture),
        header_(header),
        swap_(needs_swap(header.order)),
        features_(features),
        comms_(comms) {}

  void take(const CapturedRecord& record);
  /// Puts everything in order, after the last record.
  void finish();
  uint64_t memory_bytes() const {
    return capture_.spaces.memory_bytes() + ids_ * 64 + (comms_ ? comms_->memory_bytes() : 0);
  }
  /// Whether records say their time. Where they do not, the order in the file stands for it: time is then the
  /// number of the record.
  bool timed() const { return timed_.value_or(false); }

 private:
  void map(const CapturedRecord& record);
  void map_kernel(std::string_view path, CodeMapping mapping);
  void ksymbol(const CapturedRecord& record);
  void comm(const CapturedRecord& record);
  void fork(const CapturedRecord& record);
  void lost(const CapturedRecord& record);
  void throttle(const CapturedRecord& record);
  void attr(const CapturedRecord& record);
  void event_update(const CapturedRecord& record);
  void feature(const CapturedRecord& record);
  RecordTrailer trailer(const CapturedRecord& record) const;
  uint64_t time_of(const CapturedRecord& record);

  PerfDataCapture& capture_;
  const PerfHeader& header_;
  bool swap_;
  FeatureFacts& features_;
  CommHistory* comms_;
  uint64_t number_ = 0;        ///< of the record at hand
  std::optional<bool> timed_;  ///< nothing until an event is known
  uint64_t ids_ = 0;
};

}  // namespace nettoll
