// SPDX-License-Identifier: Apache-2.0
#include "ingest/record_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "ingest/field_reader.h"

namespace nettoll {
namespace {

/// perf compresses at most with level 22, whose window is 2^27; its records are small, and so is what it
/// needs.
constexpr int kWindowLog = 23;
/// How the messages begin that perf record prints when it is done ("[ perf record: Captured ..."). They come
/// behind the records where its standard error went into the same pipe (2>&1). No record has such a type.
constexpr std::string_view kMessage = "[ perf r";
static_assert(kMessage.size() == perf::kRecordHeaderBytes);
/// Bytes to inflate at a time: memory stays bounded, however well a record was compressed.
constexpr size_t kInflate = 64 << 10;

}  // namespace

RecordStream::RecordStream(ByteWindow& window, uint64_t bytes, std::endian order)
    : window_(window), left_(bytes), swap_(needs_swap(order)) {}

void RecordStream::count(uint32_t type) {
  if (type < counts_.size())
    ++counts_[type];
  else
    ++unknown_types_;
}

void RecordStream::stop(uint64_t offset, std::string reason, Ending ending) {
  broken_ = BrokenOff{offset, std::move(reason), ending};
}

std::optional<CapturedRecord> RecordStream::next() {
  while (!broken_) {
    if (auto inner = next_inner()) return inner;
    if (broken_) break;
    auto record = next_plain();
    if (!record) break;
    if (record->type != perf::kCompressed && record->type != perf::kCompressed2) return record;
    std::span<const uint8_t> packed = record->body;
    if (record->type == perf::kCompressed2) {
      // The compressed bytes are padded to 8, so their number stands before them.
      FieldReader in(record->body, swap_);
      const uint64_t size = in.u64();
      packed = in.take(size);
      if (!in.ok()) stop(record->offset, "a compressed record is longer than itself", Ending::damaged);
    }
    packed_.assign(packed.begin(), packed.end());
    packed_begin_ = 0;
    inner_offset_ = record->offset;
  }
  return std::nullopt;
}

std::optional<CapturedRecord> RecordStream::next_plain() {
  window_.consume(std::exchange(consumed_next_, 0));
  const uint64_t offset = window_.offset();
  if (left_ == 0) return std::nullopt;
  // Where a packed or piped capture ends in the middle of its last record, the record before was its last.
  const auto head = window_.peek(std::min<uint64_t>(left_, perf::kRecordHeaderBytes));
  if (head.empty()) {
    if (left_ != UINT64_MAX) stop(offset, fmt::format("the file ends {} bytes before its data does", left_));
    return std::nullopt;
  }
  if (head.size() < perf::kRecordHeaderBytes || left_ < perf::kRecordHeaderBytes) {
    stop(offset, "it ends inside the header of a record");
    return std::nullopt;
  }
  if (left_ == UINT64_MAX && std::memcmp(head.data(), kMessage.data(), kMessage.size()) == 0)
    return std::nullopt;
  FieldReader in(head.first(perf::kRecordHeaderBytes), swap_);
  CapturedRecord record;
  record.type = in.u32();
  record.misc = in.u16();
  const uint16_t size = in.u16();
  record.offset = offset;
  if (size < perf::kRecordHeaderBytes) {
    stop(offset, fmt::format("a record there says that it has {} bytes", size), Ending::damaged);
    return std::nullopt;
  }
  const auto whole = window_.peek(size);
  if (whole.size() < size || left_ < size) {
    // A record that does not fit between its place and the end of the data: its size is wrong.
    const bool wrong = whole.size() >= size;
    stop(offset,
         wrong ? fmt::format("a record there says that it has {} bytes, {} are left", size, left_)
               : "it ends inside a record",
         wrong ? Ending::damaged : Ending::cut);
    return std::nullopt;
  }
  record.body = whole.first(size).subspan(perf::kRecordHeaderBytes);
  consumed_next_ = size;
  if (left_ != UINT64_MAX) left_ -= size;
  count(record.type);
  skip_payload(record);
  return record;
}

/// Behind some records lies data that their size does not hold. The record's own body is of no use then, so
/// it may go.
void RecordStream::skip_payload(CapturedRecord& record) {
  uint64_t payload = 0;
  if (record.type == perf::kAuxtrace) {
    payload = FieldReader(record.body, swap_).u64();
  } else if (record.type == perf::kHeaderTracingData && left_ == UINT64_MAX) {
    payload = (uint64_t{FieldReader(record.body, swap_).u32()} + 7) & ~uint64_t{7};
  }
  if (payload == 0) return;
  record.body = {};
  window_.consume(std::exchange(consumed_next_, 0));
  const uint64_t offset = window_.offset();
  const uint64_t skipped = window_.skip(std::min(payload, left_));
  if (left_ != UINT64_MAX) left_ -= skipped;
  if (skipped < payload)
    stop(offset, fmt::format("it ends inside {} bytes of data behind a record", payload));
}

std::optional<CapturedRecord> RecordStream::next_inner() {
  for (;;) {
    const std::span<const uint8_t> here = std::span(inner_).subspan(inner_begin_);
    if (here.size() >= perf::kRecordHeaderBytes) {
      FieldReader in(here, swap_);
      CapturedRecord record;
      record.type = in.u32();
      record.misc = in.u16();
      const uint16_t size = in.u16();
      record.offset = inner_offset_;
      if (size < perf::kRecordHeaderBytes) {
        stop(inner_offset_, fmt::format("a record compressed there says that it has {} bytes", size),
             Ending::damaged);
        return std::nullopt;
      }
      if (here.size() >= size) {
        record.body = here.first(size).subspan(perf::kRecordHeaderBytes);
        inner_begin_ += size;
        count(record.type);
        return record;
      }
    }
    if (packed_begin_ == packed_.size() && !more_output_) return std::nullopt;
    if (!inflate(std::span(packed_).subspan(packed_begin_), inner_offset_)) return std::nullopt;
  }
}

bool RecordStream::inflate(std::span<const uint8_t> packed, uint64_t offset) {
  if (!zstd_) zstd_ = make_zstd_stream(kWindowLog);
  if (!zstd_) {
    stop(offset, "there is no memory to decompress it");
    return false;
  }
  inner_.erase(inner_.begin(), inner_.begin() + static_cast<std::ptrdiff_t>(inner_begin_));
  inner_begin_ = 0;
  const size_t before = inner_.size();
  inner_.resize(before + kInflate);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  ZSTD_outBuffer out{inner_.data() + before, kInflate, 0};
  const size_t state = ZSTD_decompressStream(zstd_.get(), &out, &in);
  inner_.resize(before + out.pos);
  packed_begin_ += in.pos;
  more_output_ = out.pos == kInflate;
  if (ZSTD_isError(state)) {
    stop(offset, fmt::format("a compressed record is damaged ({})", ZSTD_getErrorName(state)),
         Ending::damaged);
    return false;
  }
  if (in.pos == 0 && out.pos == 0 && !packed.empty()) {
    stop(offset, "a compressed record cannot be decompressed any further", Ending::damaged);
    return false;
  }
  return true;
}

}  // namespace nettoll
