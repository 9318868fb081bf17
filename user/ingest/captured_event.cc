// SPDX-License-Identifier: Apache-2.0
#include "ingest/captured_event.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>

#include "ingest/field_reader.h"
#include "ingest/perf_abi.h"

namespace nettoll {
namespace {

uint64_t bits_reversed(uint64_t value) {
  uint64_t result = 0;
  for (int i = 0; i < 64; ++i) result |= (value >> i & 1) << (63 - i);
  return result;
}

// enum perf_hw_id and perf_sw_ids, as perf names them.
constexpr std::string_view kHardwareNames[] = {
    "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
    "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
constexpr std::string_view kSoftwareNames[] = {
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};
constexpr std::string_view kCaches[] = {"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"};
constexpr std::string_view kCacheOps[] = {"load", "store", "prefetch"};

std::string cache_name(uint64_t config) {
  const uint64_t cache = config & 0xff;
  const uint64_t op = config >> 8 & 0xff;
  const uint64_t result = config >> 16 & 0xff;
  if (cache >= std::size(kCaches) || op >= std::size(kCacheOps) || result > 1) return "";
  if (result == 1) return fmt::format("{}-{}-misses", kCaches[cache], kCacheOps[op]);
  return fmt::format("{}-{}s", kCaches[cache], kCacheOps[op]);
}

/// What an event of the types that all PMUs share is called; "" for one that is not known.
std::string generic_name(uint32_t type, uint64_t config) {
  if (type == perf::kHardware && config < std::size(kHardwareNames))
    return std::string(kHardwareNames[config]);
  if (type == perf::kHwCache) return cache_name(config);
  return "";
}

/// Without modifiers; "" for one that is not known.
std::string plain_name(const CapturedAttr& attr) {
  if (attr.type == perf::kSoftware && attr.config < std::size(kSoftwareNames))
    return std::string(kSoftwareNames[attr.config]);
  if (attr.type == perf::kRawEvent) return fmt::format("r{:x}", attr.config);
  if (attr.type == perf::kTracepoint) return fmt::format("tracepoint:{}", attr.config);
  return generic_name(attr.type, attr.config);
}

/// The name with the PMU that the attr is for, "cpu_core/cycles/"; "" where it does not say or is not known.
/// Generic events of hybrid CPUs have the PMU's type above the config (include/uapi/linux/perf_event.h,
/// PERF_PMU_TYPE_SHIFT and PERF_HW_EVENT_MASK).
std::string name_with_pmu(const CapturedAttr& attr, const PmuNames& pmus) {
  const auto type = static_cast<uint32_t>(attr.config >> 32);
  const bool generic = attr.type == perf::kHardware || attr.type == perf::kHwCache;
  if (generic && type != 0) {
    const std::string name = generic_name(attr.type, attr.config & UINT32_MAX);
    const auto pmu = pmus.find(type);
    if (name.empty()) return "";
    return fmt::format("{}/{}/", pmu == pmus.end() ? fmt::format("pmu{}", type) : pmu->second, name);
  }
  constexpr uint32_t kFirstOfPmus = perf::kBreakpoint + 1;  // those below are the kernel's fixed types
  const auto pmu = pmus.find(attr.type);
  if (attr.type < kFirstOfPmus || pmu == pmus.end()) return "";
  return fmt::format("{}/config={:#x}/", pmu->second, attr.config);
}

std::string name_of_attr(const CapturedAttr& attr, const PmuNames& pmus) {
  std::string modifiers;
  if (attr.flag(perf::kFlagExcludeUser) != attr.flag(perf::kFlagExcludeKernel))
    modifiers = attr.flag(perf::kFlagExcludeUser) ? "k" : "u";
  if (const std::string name = name_with_pmu(attr, pmus); !name.empty()) return name + modifiers;
  std::string name = plain_name(attr);
  if (name.empty()) name = fmt::format("event type {} config {:#x}", attr.type, attr.config);
  return modifiers.empty() ? name : name + ":" + modifiers;
}

}  // namespace

std::optional<CapturedAttr> parse_attr(std::span<const uint8_t> bytes, std::endian order) {
  constexpr size_t kOldest = 64;
  if (bytes.size() < kOldest) return std::nullopt;
  FieldReader in(bytes, needs_swap(order));
  CapturedAttr attr;
  attr.type = in.u32();
  attr.size = in.u32();
  attr.config = in.u64();
  attr.period_or_frequency = in.u64();
  attr.sample_type = in.u64();
  attr.read_format = in.u64();
  // Compilers lay bit-fields out from the other end on big-endian machines.
  const uint64_t flags = in.u64();
  attr.flags = order == std::endian::little ? flags : bits_reversed(flags);
  return attr;
}

void EventTable::add(const CapturedAttr& attr, std::span<const uint64_t> ids) {
  const size_t number = events_.size();
  events_.push_back({attr, ""});
  if (const auto waits = waiting_for_number_.find(number); waits != waiting_for_number_.end())
    events_.back().name = waits->second;
  for (const uint64_t id : ids) {
    by_id_.emplace(id, static_cast<uint32_t>(number));
    if (const auto waits = waiting_.find(id); waits != waiting_.end()) events_.back().name = waits->second;
  }
}

void EventTable::name(std::span<const uint64_t> ids, std::optional<size_t> number, std::string_view name) {
  for (const uint64_t id : ids) {
    if (const auto event = find(id)) {
      events_[*event].name = name;
      return;
    }
  }
  if (!ids.empty())
    waiting_[ids.front()] = name;
  else if (number && *number < events_.size())
    events_[*number].name = name;
  else if (number)
    waiting_for_number_[*number] = name;
}

Event shown_event(const CapturedEvent& captured, const PmuNames& pmus) {
  const CapturedAttr& attr = captured.attr;
  Event event;
  event.name = captured.name.empty() ? name_of_attr(attr, pmus) : captured.name;
  const bool clock =
      attr.type == perf::kSoftware && (attr.config == perf::kCpuClock || attr.config == perf::kTaskClock);
  event.unit = clock ? EventUnit::nanoseconds : EventUnit::count;
  event.timer = clock;
  event.kernel_only = attr.flag(perf::kFlagExcludeUser);
  event.chains = attr.sample_type & perf::kCallchain;
  if (attr.flag(perf::kFlagFreq))
    event.frequency = attr.period_or_frequency;
  else
    event.period = attr.period_or_frequency;
  return event;
}

}  // namespace nettoll
