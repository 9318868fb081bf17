// SPDX-License-Identifier: Apache-2.0
#include "ingest/perf_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "ingest/field_reader.h"

namespace nettoll {
namespace {

constexpr size_t kMagicBytes = 8;
constexpr uint64_t kPipeHeaderBytes = 16;
/// Before perf_file_header::adds_features.
constexpr uint64_t kWithoutFeatures = 72;

std::string_view magic_of(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kMagicBytes)};
}

FileSection section(FieldReader& in) {
  FileSection result;
  result.offset = in.u64();
  result.size = in.u64();
  return result;
}

/// The bitmap is an array of unsigned long: 8 bytes each, or 4 where perf was a 32-bit program. Where the
/// words of a swapped file were of 4 bytes, bit 3 (host name), which perf always writes, is not where it is
/// looked for (perf_file_header__read() in tools/perf/util/header.c).
std::bitset<perf::kFeatureBits> features(std::span<const uint8_t> bytes, bool swap) {
  std::bitset<perf::kFeatureBits> bits;
  const auto read = [&](size_t word_bytes) {
    bits.reset();
    FieldReader in(bytes, swap);
    for (size_t word = 0; word * word_bytes * 8 < perf::kFeatureBits; ++word) {
      const uint64_t value = word_bytes == 8 ? in.u64() : in.u32();
      for (size_t bit = 0; bit < word_bytes * 8; ++bit) {
        if (value >> bit & 1) bits.set(word * word_bytes * 8 + bit);
      }
    }
  };
  read(8);
  if (swap && !bits.test(perf::kHostname)) {
    read(4);
    if (!bits.test(perf::kHostname)) read(8);
  }
  return bits;
}

/// The format's strings: their room, padded with NULs, in front.
std::string string_field(FieldReader& in) {
  const uint32_t size = in.u32();
  return std::string(in.text(size));
}

void parse_command(FieldReader& in, CaptureFacts& facts) {
  const uint32_t words = in.u32();
  std::vector<std::string> list;
  for (uint32_t i = 0; i < words && in.ok(); ++i) list.push_back(string_field(in));
  if (in.ok()) facts.command = fmt::format("{}", fmt::join(list, " "));
}

void parse_event_desc(FieldReader& in, EventTable& events) {
  const uint32_t count = in.u32();
  const uint32_t attr_size = in.u32();
  std::vector<uint64_t> ids;
  for (uint32_t event = 0; event < count && in.ok(); ++event) {
    in.skip(attr_size);
    const uint32_t id_count = in.u32();
    const std::string name = string_field(in);
    if (id_count > in.rest().size() / sizeof(uint64_t)) return;
    ids.clear();
    for (uint32_t i = 0; i < id_count; ++i) ids.push_back(in.u64());
    if (in.ok() && !name.empty()) events.name(ids, event, name);
  }
}

void parse_pmu_mappings(FieldReader& in, PmuNames& pmus) {
  const uint32_t count = in.u32();
  for (uint32_t i = 0; i < count && in.ok(); ++i) {
    const uint32_t type = in.u32();
    std::string name = string_field(in);
    if (in.ok() && !name.empty()) pmus.insert_or_assign(type, std::move(name));
  }
}

void parse_build_ids(FieldReader& in, std::endian order, std::vector<CapturedBuildId>& build_ids) {
  while (in.rest().size() >= perf::kRecordHeaderBytes) {
    in.u32();  // the type is 0 or that of the record
    const uint16_t misc = in.u16();
    const uint16_t size = in.u16();
    if (size < perf::kRecordHeaderBytes) return;
    const auto body = in.take(size - perf::kRecordHeaderBytes);
    if (!in.ok()) return;
    if (auto build_id = parse_build_id(body, misc, order)) build_ids.push_back(std::move(*build_id));
  }
}

}  // namespace

std::string hex_of(std::span<const uint8_t> bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

bool is_perf_data(std::span<const uint8_t> bytes) {
  const std::string_view magic = magic_of(bytes);
  return magic == "PERFILE2" || magic == "2ELIFREP" || magic == "PERFFILE";
}

Result<PerfHeader> parse_perf_header(std::span<const uint8_t> bytes) {
  const auto cut_short = [&] {
    return failure(fmt::format("a perf.data of {} bytes, cut short inside its head", bytes.size()),
                   "copy the file again");
  };
  if (bytes.size() < kPipeHeaderBytes) return cut_short();
  PerfHeader header;
  const std::string_view magic = magic_of(bytes);
  const auto size_in = [&](std::endian order) {
    return FieldReader(bytes.subspan(kMagicBytes), needs_swap(order)).u64();
  };
  const auto plausible = [](uint64_t size) {
    return size == kPipeHeaderBytes || size == kWithoutFeatures || size == kPerfHeaderBytes;
  };
  // The old magic reads the same in both orders; then the size of the head tells.
  header.order = magic == "2ELIFREP" ? std::endian::big : std::endian::little;
  if (magic == "PERFFILE" && !plausible(size_in(std::endian::little))) header.order = std::endian::big;
  header.size = size_in(header.order);
  if (!plausible(header.size)) {
    return failure(fmt::format("a perf.data whose head has {} bytes, a form that is not known", header.size),
                   "read it with the perf that wrote it: perf script -i FILE > text; nettoll report text");
  }
  header.pipe = header.size == kPipeHeaderBytes;
  if (header.pipe) return header;
  if (bytes.size() < header.size) return cut_short();
  FieldReader in(bytes.first(static_cast<size_t>(header.size)).subspan(kPipeHeaderBytes),
                 needs_swap(header.order));
  header.attr_size = in.u64();
  header.attrs = section(in);
  header.data = section(in);
  header.event_types = section(in);
  if (header.size == kPerfHeaderBytes) header.features = features(in.rest(), in.swaps());
  return header;
}

std::optional<CapturedBuildId> parse_build_id(std::span<const uint8_t> body, uint16_t misc,
                                              std::endian order) {
  constexpr size_t kRoom = 24;
  constexpr size_t kFull = 20;
  constexpr uint16_t kMiscHasSize = 1 << 15;
  FieldReader in(body, needs_swap(order));
  CapturedBuildId result;
  result.pid = in.u32();
  const auto bytes = in.take(kRoom);
  if (!in.ok()) return std::nullopt;
  size_t size = kFull;
  if (misc & kMiscHasSize) size = std::min<size_t>(bytes[kFull], kFull);
  result.build_id = hex_of(bytes.first(size));
  result.path = in.text();
  return result;
}

void parse_feature(unsigned feature, std::span<const uint8_t> bytes, std::endian order, CaptureFacts& facts,
                   FeatureFacts& more, EventTable& events) {
  FieldReader in(bytes, needs_swap(order));
  switch (feature) {
    case perf::kHostname:
      facts.host = string_field(in);
      break;
    case perf::kOsRelease:
      facts.release = string_field(in);
      break;
    case perf::kVersion:
      facts.perf_version = string_field(in);
      break;
    case perf::kArch:
      facts.arch = string_field(in);
      break;
    case perf::kCpuDesc:
      facts.cpu = string_field(in);
      break;
    case perf::kNrCpus:
      facts.cpus_available = in.u32();
      facts.cpus_online = in.u32();
      break;
    case perf::kCmdline:
      parse_command(in, facts);
      break;
    case perf::kEventDesc:
      parse_event_desc(in, events);
      break;
    case perf::kPmuMappings:
      parse_pmu_mappings(in, more.pmus);
      break;
    case perf::kBuildId:
      parse_build_ids(in, order, more.build_ids);
      break;
    case perf::kClockData: {
      in.u32();
      in.u32();
      const uint64_t wall = in.u64();
      const uint64_t clock = in.u64();
      if (in.ok() && wall > 0) more.clock = {wall, clock};
      break;
    }
    default:
      break;
  }
}

}  // namespace nettoll
