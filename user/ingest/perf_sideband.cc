// SPDX-License-Identifier: Apache-2.0
#include "ingest/perf_sideband.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/field_reader.h"
#include "ingest/module_path.h"

namespace nettoll {
namespace {

// Bit 13 of perf_event_header::misc means something else for each type of record.
constexpr uint16_t kMiscMmapData = 1 << 13;
constexpr uint16_t kMiscForkExec = 1 << 13;

}  // namespace

void parse_event_types(std::span<const uint8_t> bytes, std::endian order, EventTable& events) {
  constexpr size_t kNameBytes = 64;
  FieldReader in(bytes, needs_swap(order));
  while (in.rest().size() > sizeof(uint64_t)) {
    const uint64_t config = in.u64();
    const std::string_view name = in.rest().size() < kNameBytes ? in.text() : in.text(kNameBytes);
    for (size_t i = 0; i < events.events().size() && !name.empty(); ++i) {
      const CapturedEvent& event = events.events()[i];
      if (event.attr.type == perf::kTracepoint && event.attr.config == config) events.name({}, i, name);
    }
    if (in.rest().size() < kNameBytes) return;
  }
}

void PerfSideband::take(const CapturedRecord& record) {
  ++number_;
  switch (record.type) {
    case perf::kMmap:
    case perf::kMmap2:
      return map(record);
    case perf::kKsymbol:
      return ksymbol(record);
    case perf::kComm:
      return comm(record);
    case perf::kFork:
      return fork(record);
    case perf::kLost:
    case perf::kLostSamples:
      return lost(record);
    case perf::kThrottle:
      return throttle(record);
    case perf::kHeaderAttr:
      return attr(record);
    case perf::kHeaderEventType:
      return parse_event_types(record.body, header_.order, capture_.events);
    case perf::kEventUpdate:
      return event_update(record);
    case perf::kHeaderFeature:
      return feature(record);
    case perf::kHeaderBuildId:
      if (auto build_id = parse_build_id(record.body, record.misc, header_.order))
        features_.build_ids.push_back(std::move(*build_id));
      return;
    case perf::kCallchainDeferred:
      ++capture_.deferred_stacks;
      return;
    default:
      return;
  }
}

void PerfSideband::finish() {
  for (const CapturedBuildId& id : features_.build_ids) {
    if (is_kernel_path(id.path))
      capture_.facts.kernel_build_id = id.build_id;
    else
      capture_.spaces.set_build_id(id.path, id.build_id);
  }
  capture_.spaces.settle();
  if (comms_) comms_->settle();
  if (capture_.spaces.simplified() > 0)
    capture_.notes.push_back(
        fmt::format("{} mappings took the place of others too often; the last one stands for all times",
                    capture_.spaces.simplified()));
  const uint64_t aux = capture_.records[perf::kAuxtrace];
  if (aux > 0)
    capture_.notes.push_back(fmt::format(
        "{} blocks of hardware trace (AUX) were skipped: they hold no samples until perf decodes them", aux));
  if (capture_.deferred_stacks > 0)
    capture_.notes.push_back(
        fmt::format("{} user stacks stand in records of their own and are not joined to their samples",
                    capture_.deferred_stacks));
}

RecordTrailer PerfSideband::trailer(const CapturedRecord& record) const {
  // perf gives all events of a recording the same trailer.
  if (capture_.events.empty()) return {};
  return parse_trailer(capture_.events.events().front().attr, record.body, swap_);
}

uint64_t PerfSideband::time_of(const CapturedRecord& record) {
  if (!timed_ && !capture_.events.empty()) {
    const CapturedAttr& first = capture_.events.events().front().attr;
    timed_ = first.flag(perf::kFlagSampleIdAll) && (first.sample_type & perf::kTime);
  }
  if (!timed()) return number_;
  // What perf makes up of /proc at its start has no time, and was there before all samples.
  return trailer(record).time.value_or(0);
}

void PerfSideband::map(const CapturedRecord& record) {
  if (record.type == perf::kMmap && (record.misc & kMiscMmapData)) return;
  FieldReader in(record.body, swap_);
  const uint32_t pid = in.u32();
  in.u32();
  CodeMapping mapping;
  mapping.start = in.u64();
  const uint64_t length = in.u64();
  mapping.file_offset = in.u64();
  std::string build_id;
  if (record.type == perf::kMmap2) {
    if (record.misc & perf::kMiscMmapBuildId) {
      const uint8_t size = in.u8();
      in.skip(3);
      const auto bytes = in.take(20);
      if (in.ok()) build_id = hex_of(bytes.first(std::min<size_t>(size, bytes.size())));
    } else {
      in.skip(24);
    }
    in.skip(8);  // protection and flags
  }
  const std::string_view path = in.text();
  if (!in.ok()) return;
  mapping.end = mapping.start + length < mapping.start ? UINT64_MAX : mapping.start + length;
  const uint8_t mode = record.misc & perf::kMiscCpuMode;
  if (mode == perf::kModeGuestKernel || mode == perf::kModeGuestUser) return;
  if (pid == kKernelPid || mode == perf::kModeKernel) {
    if (is_kernel_path(path) && !build_id.empty()) capture_.facts.kernel_build_id = build_id;
    if (!build_id.empty() && !is_kernel_path(path)) capture_.spaces.intern(path, build_id);
    map_kernel(path, mapping);
    return;
  }
  mapping.file = capture_.spaces.intern(path, build_id);
  capture_.spaces.map(time_of(record), pid, mapping);
}

void PerfSideband::map_kernel(std::string_view path, CodeMapping mapping) {
  if (is_guest_kernel_path(path)) return;
  if (is_kernel_path(path)) {
    // "[kernel.kallsyms]_text": the offset is that symbol's address.
    const size_t end = path.find(']');
    if (end != std::string_view::npos && end + 1 < path.size())
      capture_.facts.reference = ReferenceSymbol{std::string(path.substr(end + 1)), mapping.file_offset};
    return;
  }
  const std::string module = module_of_path(path);
  if (module.empty()) return;
  mapping.file = capture_.spaces.intern(path, "");
  capture_.spaces.map(timed() ? 0 : number_, kKernelPid, mapping);
  capture_.facts.modules.push_back({module, mapping.start, mapping.end});
}

void PerfSideband::ksymbol(const CapturedRecord& record) {
  constexpr uint16_t kUnregister = 1;
  FieldReader in(record.body, swap_);
  CodeMapping mapping;
  mapping.start = in.u64();
  const uint32_t length = in.u32();
  in.u16();
  const uint16_t flags = in.u16();
  const std::string_view name = in.text();
  if (!in.ok() || (flags & kUnregister) || name.empty()) return;
  mapping.end = mapping.start + length < mapping.start ? UINT64_MAX : mapping.start + length;
  mapping.file = capture_.spaces.intern(name, "", true);
  capture_.spaces.map(time_of(record), kKernelPid, mapping);
}

void PerfSideband::comm(const CapturedRecord& record) {
  FieldReader in(record.body, swap_);
  const uint32_t pid = in.u32();
  const uint32_t tid = in.u32();
  const std::string_view name = in.text();
  if (!in.ok()) return;
  const uint64_t time = time_of(record);
  if (record.misc & perf::kMiscCommExec) capture_.spaces.exec(time, pid);
  if (comms_) comms_->name(time, tid, name);
}

void PerfSideband::fork(const CapturedRecord& record) {
  FieldReader in(record.body, swap_);
  const uint32_t pid = in.u32();
  const uint32_t parent = in.u32();
  const uint32_t tid = in.u32();
  const uint32_t parent_tid = in.u32();
  if (!in.ok()) return;
  const uint64_t time = time_of(record);
  // perf makes forks up for processes that it finds at its start; their mappings follow.
  if (!(record.misc & kMiscForkExec)) capture_.spaces.fork(time, pid, parent);
  if (comms_) comms_->fork(time, tid, parent_tid);
}

void PerfSideband::lost(const CapturedRecord& record) {
  FieldReader in(record.body, swap_);
  std::optional<uint64_t> id;
  if (record.type == perf::kLost)
    id = in.u64();
  else
    id = trailer(record).id;
  const uint64_t count = in.u64();
  if (!in.ok()) return;
  const auto event = id ? capture_.events.find(*id) : std::nullopt;
  // A full ring says which event found it full; what was lost in it may be of any.
  capture_.lost[record.type == perf::kLostSamples ? event : std::nullopt] += count;
}

void PerfSideband::throttle(const CapturedRecord& record) {
  FieldReader in(record.body, swap_);
  in.u64();
  const uint64_t id = in.u64();
  if (!in.ok()) return;
  auto event = capture_.events.find(id);
  if (!event && capture_.events.events().size() == 1) event = 0;
  ++capture_.throttled[event];
}

void PerfSideband::attr(const CapturedRecord& record) {
  constexpr size_t kOldest = 64;
  const auto parsed = parse_attr(record.body, header_.order);
  if (!parsed) return;
  const size_t size = std::max<size_t>(parsed->size, kOldest);
  FieldReader in(record.body, swap_);
  in.skip(size);
  std::vector<uint64_t> ids;
  while (in.rest().size() >= sizeof(uint64_t)) ids.push_back(in.u64());
  ids_ += ids.size() + 4;
  capture_.events.add(*parsed, ids);
}

void PerfSideband::event_update(const CapturedRecord& record) {
  FieldReader in(record.body, swap_);
  const uint64_t kind = in.u64();
  const uint64_t id = in.u64();
  if (!in.ok() || kind != perf::kUpdateName) return;
  capture_.events.name(std::span(&id, 1), {}, in.text());
}

void PerfSideband::feature(const CapturedRecord& record) {
  FieldReader in(record.body, swap_);
  const uint64_t feature = in.u64();
  if (!in.ok() || feature >= perf::kFeatureBits) return;
  parse_feature(static_cast<unsigned>(feature), in.rest(), header_.order, capture_.facts, features_,
                capture_.events);
}

}  // namespace nettoll
