// SPDX-License-Identifier: Apache-2.0
// One sample of a perf.data, taken apart by the layout that its event's attr defines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ingest/captured_event.h"

namespace nettoll {

/// Values of 8 bytes in a record, which may be unaligned and swapped.
class WordSpan {
 public:
  WordSpan() = default;
  WordSpan(std::span<const uint8_t> bytes, bool swap) : bytes_(bytes), swap_(swap) {}
  size_t size() const { return bytes_.size() / sizeof(uint64_t); }
  uint64_t operator[](size_t index) const {
    uint64_t value;
    __builtin_memcpy(&value, bytes_.data() + index * sizeof value, sizeof value);
    return swap_ ? __builtin_bswap64(value) : value;
  }

 private:
  std::span<const uint8_t> bytes_;
  bool swap_ = false;
};

/// What is used of a sample. Views live as long as the record.
struct CapturedSample {
  std::optional<uint64_t> ip;
  std::optional<uint32_t> pid;
  std::optional<uint32_t> tid;
  std::optional<uint64_t> time;
  std::optional<uint64_t> id;
  std::optional<uint32_t> cpu;
  std::optional<uint64_t> period;
  WordSpan callchain;
  WordSpan read_values;  ///< of a group: pairs or triples, see `words_per_value`
  size_t words_per_value = 0;
};

/// Why a sample could not be taken apart.
enum class LayoutError : uint8_t {
  none,
  short_record,    ///< its fields do not fit into it
  unknown_format,  ///< its attr has bits that nettoll does not know before a field that it needs
};

/// Takes apart what is behind the header of a PERF_RECORD_SAMPLE. The order of the fields is that of
/// perf_output_sample() in kernel/events/core.c; those behind the call chain (raw, branches, registers,
/// stack, weight and all that newer kernels append) are of no use here and are not looked at, so that bits
/// for them need not be known.
LayoutError parse_sample(const CapturedAttr& attr, std::span<const uint8_t> body, bool swap,
                         CapturedSample& sample);

/// The id of a sample's event, which must be found before its layout is known: where IDENTIFIER stands first,
/// or at the place where ID stands with this attr. Nothing where the attr has neither.
std::optional<uint64_t> sample_event_id(const CapturedAttr& attr, std::span<const uint8_t> body, bool swap);

/// What stands at the end of every other record where sample_id_all is set.
struct RecordTrailer {
  std::optional<uint64_t> time;
  std::optional<uint64_t> id;
};

/// Takes the trailer apart; nothing in it where the attr has none or the record is too short.
RecordTrailer parse_trailer(const CapturedAttr& attr, std::span<const uint8_t> body, bool swap);

}  // namespace nettoll
