// SPDX-License-Identifier: Apache-2.0
// The head of a perf.data and the features that stand behind its data.
#pragma once

#include <bit>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "ingest/capture_facts.h"
#include "ingest/captured_event.h"
#include "ingest/perf_abi.h"

namespace nettoll {

/// Bytes of the longest head.
inline constexpr size_t kPerfHeaderBytes = 104;

/// A part of the file.
struct FileSection {
  uint64_t offset = 0;
  uint64_t size = 0;
};

/// The head: of a file with sections, or of a pipe, where all that is more stands in records.
struct PerfHeader {
  std::endian order = std::endian::little;
  bool pipe = false;
  uint64_t size = 0;  ///< of the head itself
  uint64_t attr_size = 0;
  FileSection attrs;
  FileSection data;
  FileSection event_types;
  std::bitset<perf::kFeatureBits> features;
};

/// Whether bytes begin with one of the magics of perf.data.
bool is_perf_data(std::span<const uint8_t> bytes);

/// Takes the head apart. Fails where it is cut short, or is of no form that perf ever wrote.
Result<PerfHeader> parse_perf_header(std::span<const uint8_t> bytes);

/// A build id of a file, or of the kernel, as the recording knew it.
struct CapturedBuildId {
  uint32_t pid = 0;
  std::string path;
  std::string build_id;
};

/// What features say beside the facts.
struct FeatureFacts {
  std::vector<CapturedBuildId> build_ids;
  PmuNames pmus;
  /// CLOCK_REALTIME and the capture's clock at one moment.
  std::optional<std::pair<uint64_t, uint64_t>> clock;
};

/// Takes one feature's bytes apart; what makes no sense is left out. Names of events go into `events`.
void parse_feature(unsigned feature, std::span<const uint8_t> bytes, std::endian order, CaptureFacts& facts,
                   FeatureFacts& more, EventTable& events);

/// Takes the body of a PERF_RECORD_HEADER_BUILD_ID apart.
std::optional<CapturedBuildId> parse_build_id(std::span<const uint8_t> body, uint16_t misc,
                                              std::endian order);

/// Bytes in lower-case hex.
std::string hex_of(std::span<const uint8_t> bytes);

}  // namespace nettoll
