// SPDX-License-Identifier: Apache-2.0
#include "ingest/captured_sample.h"

#include <bit>

#include "ingest/field_reader.h"
#include "ingest/perf_abi.h"

namespace nettoll {
namespace {

/// Reads PERF_SAMPLE_READ: struct read_format of perf_event_open(2). False where the format is not known.
bool read_counts(const CapturedAttr& attr, FieldReader& in, CapturedSample& sample) {
  if (attr.read_format & ~uint64_t{perf::kKnownReadBits}) return false;
  const bool group = attr.read_format & perf::kReadGroup;
  const uint64_t values = group ? in.u64() : 1;
  const size_t words =
      1 + ((attr.read_format & perf::kReadId) != 0) + ((attr.read_format & perf::kReadLost) != 0);
  if (!group) {
    // One value before its times, its id and loss behind them: the sample's own period says it all.
    in.skip((words + ((attr.read_format & perf::kTotalTimeEnabled) != 0) +
             ((attr.read_format & perf::kTotalTimeRunning) != 0)) *
            sizeof(uint64_t));
    return true;
  }
  if (attr.read_format & perf::kTotalTimeEnabled) in.u64();
  if (attr.read_format & perf::kTotalTimeRunning) in.u64();
  if (values > in.rest().size() / sizeof(uint64_t) / words) {
    in.skip(UINT64_MAX);
    return true;
  }
  sample.read_values = {in.take(values * words * sizeof(uint64_t)), in.swaps()};
  sample.words_per_value = words;
  return true;
}

}  // namespace

LayoutError parse_sample(const CapturedAttr& attr, std::span<const uint8_t> body, bool swap,
                         CapturedSample& sample) {
  FieldReader in(body, swap);
  const uint64_t type = attr.sample_type;
  sample = {};
  if (type & perf::kIdentifier) sample.id = in.u64();
  if (type & perf::kIp) sample.ip = in.u64();
  if (type & perf::kTid) {
    sample.pid = in.u32();
    sample.tid = in.u32();
  }
  if (type & perf::kTime) sample.time = in.u64();
  if (type & perf::kAddr) in.u64();
  if (type & perf::kId) sample.id = in.u64();
  if (type & perf::kStreamId) in.u64();
  if (type & perf::kCpu) {
    sample.cpu = in.u32();
    in.u32();
  }
  if (type & perf::kPeriod) sample.period = in.u64();
  if ((type & perf::kReadValues) && !read_counts(attr, in, sample)) return LayoutError::unknown_format;
  if (type & perf::kCallchain) {
    const uint64_t frames = in.u64();
    if (frames > in.rest().size() / sizeof(uint64_t)) return LayoutError::short_record;
    sample.callchain = {in.take(frames * sizeof(uint64_t)), swap};
  }
  return in.ok() ? LayoutError::none : LayoutError::short_record;
}

std::optional<uint64_t> sample_event_id(const CapturedAttr& attr, std::span<const uint8_t> body, bool swap) {
  const uint64_t type = attr.sample_type;
  size_t words = 0;
  if (!(type & perf::kIdentifier)) {
    if (!(type & perf::kId)) return std::nullopt;
    words = static_cast<size_t>(std::popcount(type & (perf::kIp | perf::kTid | perf::kTime | perf::kAddr)));
  }
  FieldReader in(body, swap);
  in.skip(words * sizeof(uint64_t));
  const uint64_t id = in.u64();
  return in.ok() ? std::optional(id) : std::nullopt;
}

RecordTrailer parse_trailer(const CapturedAttr& attr, std::span<const uint8_t> body, bool swap) {
  RecordTrailer trailer;
  if (!attr.flag(perf::kFlagSampleIdAll)) return trailer;
  constexpr uint64_t kInTrailer =
      perf::kTid | perf::kTime | perf::kId | perf::kStreamId | perf::kCpu | perf::kIdentifier;
  const size_t size = static_cast<size_t>(std::popcount(attr.sample_type & kInTrailer)) * sizeof(uint64_t);
  if (size > body.size()) return trailer;
  FieldReader in(body.last(size), swap);
  const uint64_t type = attr.sample_type;
  if (type & perf::kTid) in.u64();
  if (type & perf::kTime) trailer.time = in.u64();
  if (type & perf::kId) trailer.id = in.u64();
  if (type & perf::kStreamId) in.u64();
  if (type & perf::kCpu) in.u64();
  if (type & perf::kIdentifier) trailer.id = in.u64();
  return trailer;
}

}  // namespace nettoll
