// SPDX-License-Identifier: Apache-2.0
// The second walk over a perf.data: its samples.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ingest/captured_sample.h"
#include "ingest/comm_history.h"
#include "ingest/comm_tally.h"
#include "ingest/frame_namer.h"
#include "ingest/perf_data.h"
#include "ingest/record_stream.h"
#include "ingest/stack_tally.h"

namespace nettoll {

/// Sums samples into a capture whose events and address spaces are complete.
class PerfSamples {
 public:
  PerfSamples(PerfDataCapture& capture, FrameNamer& namer, std::endian order, const IngestOptions& options,
              const CommHistory* comms, bool timed);

  void take(const CapturedRecord& record);
  /// Writes down what the samples were as a whole.
  void finish();
  uint64_t memory_bytes() const {
    return tally_.memory_bytes() + namer_.memory_bytes() + capture_.spaces.memory_bytes() +
           last_counts_.size() * 64;
  }

  StackTally& tally() { return tally_; }
  /// By name of the thread; empty where that was not asked for.
  std::vector<CommSamples> comms() const { return comm_tally_.rows(); }

 private:
  /// A counter that the samples of a group read: by id, and by thread where each has its own.
  struct CounterKey {
    uint64_t id;
    uint32_t tid;
    bool operator==(const CounterKey&) const = default;
  };
  struct CounterHash {
    size_t operator()(const CounterKey& key) const { return key.id * 0x9E3779B97F4A7C15u ^ key.tid; }
  };

  std::optional<uint32_t> event_of(std::span<const uint8_t> body) const;
  bool wanted(const CapturedSample& sample, uint64_t time) const;
  void name_stack(const CapturedSample& sample, uint8_t mode, uint64_t time);
  void add(const CapturedSample& sample, uint32_t event, uint64_t period, uint64_t time);
  void read_group(const CapturedSample& sample, const CapturedAttr& attr);

  PerfDataCapture& capture_;
  FrameNamer& namer_;
  StackTally tally_;
  CommTally comm_tally_;
  bool swap_;
  const IngestOptions& options_;
  const CommHistory* comms_;
  bool timed_;
  bool one_layout_;  ///< all events have the same sample_type
  uint64_t number_ = 0;
  bool without_cpu_ = false;
  bool guessed_weight_ = false;
  std::vector<uint32_t> stack_;  ///< of the sample at hand
  struct GroupValue {
    uint32_t event;
    uint64_t period;
  };
  std::vector<GroupValue> group_;  ///< of the sample at hand, where it is one of a group
  std::unordered_map<CounterKey, uint64_t, CounterHash> last_counts_;
};

}  // namespace nettoll
