// SPDX-License-Identifier: Apache-2.0
// The records of a perf.data one after the other, those inside of compressed ones too.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ingest/byte_window.h"
#include "ingest/perf_abi.h"
#include "ingest/zstd_stream.h"

namespace nettoll {

/// A record without its header. `body` stays until the next record is asked for; it is
/// empty where data followed the record.
struct CapturedRecord {
  uint32_t type = 0;
  uint16_t misc = 0;
  std::span<const uint8_t> body;
  uint64_t offset = 0;  ///< in the (unpacked) file; of the compressed record for one that was inside of it
};

/// Where and why reading stopped before the end.
struct BrokenOff {
  uint64_t offset = 0;
  std::string reason;
  /// `cut` where the bytes end too early, `damaged` where they cannot be.
  Ending ending = Ending::cut;
};

/// Walks over records. Data that follows a record without being in its size (AUXTRACE, TRACING_DATA in pipe
/// mode) is left out. A record whose size cannot be ends the walk: nothing tells where the next one would
/// begin. The messages of perf record that got into a pipe end it too, as the end of the file does.
class RecordStream {
 public:
  /// Records from the window's place on, `bytes` of them (UINT64_MAX: up to the end of the file, as in a
  /// pipe).
  RecordStream(ByteWindow& window, uint64_t bytes, std::endian order);

  /// The next record, or nothing at the end.
  std::optional<CapturedRecord> next();

  /// What kept the walk from the end; nothing where it came there.
  const std::optional<BrokenOff>& broken_off() const { return broken_; }
  /// Records met, by type, compressed ones and those inside of them included.
  const std::array<uint64_t, perf::kRecordTypes>& counts() const { return counts_; }
  uint64_t unknown_types() const { return unknown_types_; }

 private:
  std::optional<CapturedRecord> next_plain();
  std::optional<CapturedRecord> next_inner();
  bool inflate(std::span<const uint8_t> packed, uint64_t offset);
  void skip_payload(CapturedRecord& record);
  void count(uint32_t type);
  void stop(uint64_t offset, std::string reason, Ending ending = Ending::cut);

  ByteWindow& window_;
  uint64_t left_;
  bool swap_;
  std::optional<BrokenOff> broken_;
  std::array<uint64_t, perf::kRecordTypes> counts_{};
  uint64_t unknown_types_ = 0;

  size_t consumed_next_ = 0;  ///< of the window, before the next record
  // What came out of compressed records: a record may be in two of them.
  ZstdStream zstd_;
  std::vector<uint8_t> inner_;
  size_t inner_begin_ = 0;
  uint64_t inner_offset_ = 0;
  std::vector<uint8_t> packed_;  ///< what is still to be inflated
  size_t packed_begin_ = 0;
  bool more_output_ = false;  ///< the context may hold output that found no room
};

}  // namespace nettoll
