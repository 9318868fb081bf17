// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_record.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <cstring>

#include "collect/perf_attr.h"
#include "model/raw_batch.h"

namespace nettoll {
namespace {

// Words of a sample before its callchain: header, identifier, ip, pid and tid, time, cpu, period (which some
// lack), number of frames. The order is that of PERF_RECORD_SAMPLE in linux/perf_event.h.
constexpr size_t kSampleHead = 8;
static_assert(kSampleType == (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                              PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN),
              "decode_sample() reads these fields");

// The sample_id that sample_id_all puts at the end of other records: pid and tid, time, cpu, identifier.
constexpr size_t kSampleId = 4;

/// Callchain entries from here on are markers (PERF_CONTEXT_*), not addresses.
bool is_marker(uint64_t entry) {
  return entry >= static_cast<uint64_t>(PERF_CONTEXT_MAX);
}

/// The first and second 32-bit field of a pair.
struct Pair {
  uint32_t first;
  uint32_t second;
};
Pair pair_of(uint64_t word) {
  Pair pair;
  static_assert(sizeof(pair) == sizeof(word));
  std::memcpy(&pair, &word, sizeof(pair));
  return pair;
}

/// The run of kernel addresses after PERF_CONTEXT_KERNEL, to the next marker.
std::span<const uint64_t> kernel_frames(std::span<const uint64_t> chain) {
  const auto marker = std::find(chain.begin(), chain.end(), static_cast<uint64_t>(PERF_CONTEXT_KERNEL));
  if (marker == chain.end()) return {};
  const auto end = std::find_if(marker + 1, chain.end(), is_marker);
  return {marker + 1, end};
}

/// False where the sample makes no sense.
bool decode_sample(std::span<const uint64_t> record, uint16_t misc, RecordSink& sink) {
  const uint64_t fixed_period = record.size() > 1 ? sink.fixed_period(record[1]) : 0;
  const size_t head = fixed_period ? kSampleHead - 1 : kSampleHead;
  if (record.size() < head) return false;
  const uint64_t frames = record[head - 1];
  if (frames > record.size() - head) return false;

  Sample sample;
  sample.id = record[1];
  sample.ip = record[2];
  sample.pid = pair_of(record[3]).first;
  sample.tid = pair_of(record[3]).second;
  sample.time_ns = record[4];
  sample.cpu = pair_of(record[5]).first;
  sample.period = fixed_period ? fixed_period : record[6];
  switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
    case PERF_RECORD_MISC_USER:
      sample.ip = kUserFrame;
      break;
    case PERF_RECORD_MISC_GUEST_KERNEL:
    case PERF_RECORD_MISC_GUEST_USER:
      sample.ip = kGuestFrame;
      break;
    default: {
      const auto chain = kernel_frames(record.subspan(head, frames));
      // The chain starts where the interrupt was taken. That is ip, except for precise events, where ip is
      // the better of the two.
      if (!chain.empty()) sample.callers = chain.subspan(1);
      // The ABI of the registers, and the one register: PERF_SAMPLE_REGS_INTR, asked for where there is one.
      const auto registers = record.subspan(head + frames);
      if (registers.size() >= 2 && registers[0] != PERF_SAMPLE_REGS_ABI_NONE)
        sample.link_register = registers[1];
      // No kernel has code in its first page: such an ip would pass for one of the marks of the model.
      if (sample.ip < 4096) return false;
    }
  }
  sink.on_sample(sample);
  return true;
}

}  // namespace

void decode_record(std::span<const uint64_t> record, RecordSink& sink) {
  if (record.empty()) return sink.on_unmatched();
  perf_event_header header;
  static_assert(sizeof(header) == sizeof(uint64_t));
  std::memcpy(&header, record.data(), sizeof(header));

  const auto holds = [&](size_t words) { return record.size() >= 1 + words + kSampleId; };
  const uint64_t last = record.back();  // the identifier in sample_id
  bool sound = true;
  switch (header.type) {
    case PERF_RECORD_SAMPLE:
      sound = decode_sample(record, header.misc, sink);
      break;
    case PERF_RECORD_LOST:
      if ((sound = holds(2))) sink.on_lost(record[1], record[2]);
      break;
    case PERF_RECORD_LOST_SAMPLES:
      if ((sound = holds(1))) sink.on_lost_samples(last, record[1]);
      break;
    case PERF_RECORD_THROTTLE:
      if ((sound = holds(3))) sink.on_throttle(record[2], record[1]);
      break;
    case PERF_RECORD_UNTHROTTLE:
      if ((sound = holds(3))) sink.on_unthrottle(record[2], record[1]);
      break;
    case PERF_RECORD_COMM:  // process and thread, then the name in whole words
      sound = holds(2);
      break;
    default:
      // 0 is no record; types that this header does not know are nonsense too, since none was asked for.
      if (header.type == 0 || header.type >= PERF_RECORD_MAX) sink.on_unmatched();
      return;
  }
  if (sound) {
    sink.on_record(record);
  } else {
    sink.on_unmatched();
  }
}

uint64_t event_id_in(std::span<const uint64_t> record) {
  perf_event_header header;
  std::memcpy(&header, record.data(), sizeof(header));
  switch (header.type) {
    case PERF_RECORD_SAMPLE:
      return record[1];
    case PERF_RECORD_THROTTLE:
    case PERF_RECORD_UNTHROTTLE:
      return record[2];
    default:
      return record.back();
  }
}

}  // namespace nettoll
