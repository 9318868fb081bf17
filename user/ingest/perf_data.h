// SPDX-License-Identifier: Apache-2.0
// perf.data to a Profile.
//
// The file is walked twice. The first walk takes all that is no sample: events, mappings, forks, names. The
// second sums the samples. So a sample finds the mappings of its time wherever their records stand, no sample
// waits in a queue for its turn, and memory follows the different stacks, whether or not the file marks
// rounds (FINISHED_ROUND).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ingest/address_spaces.h"
#include "ingest/byte_source.h"
#include "ingest/capture_facts.h"
#include "ingest/captured_event.h"
#include "ingest/code_names.h"
#include "ingest/ingest_options.h"
#include "ingest/perf_abi.h"
#include "model/profile.h"

namespace nettoll {

/// What a perf.data holds.
struct PerfDataCapture {
  CaptureFacts facts;
  EventTable events;
  AddressSpaces spaces;
  Profile profile;

  std::array<uint64_t, perf::kRecordTypes> records{};  ///< by type
  uint64_t samples = 0;                                ///< in `profile`
  std::vector<uint64_t> samples_by_event;
  std::map<std::optional<uint32_t>, uint64_t>
      lost;  ///< samples by event; those of no known event under nothing
  std::map<std::optional<uint32_t>, uint64_t> throttled;  ///< times
  uint64_t filtered = 0;                                  ///< samples that the options left out
  uint64_t no_event = 0;                                  ///< samples whose event cannot be told
  uint64_t short_samples = 0;                             ///< samples that are shorter than their layout
  uint64_t unknown_layout = 0;                            ///< samples of a layout that is not known
  uint64_t deferred_stacks = 0;      ///< user stacks that stand in records of their own, which are not joined
  uint64_t impossible_cpus = 0;      ///< samples with a CPU id that no Linux has
  bool cpus_known = true;            ///< whether every sample says its CPU
  std::optional<uint64_t> first_ns;  ///< time of the first and the last sample
  std::optional<uint64_t> last_ns;
  std::vector<std::string> notes;  ///< what was lost and where, what a reader has to know
};

/// Reads a perf.data. Fails where nothing in it can be read: no events, a head that is not known. What breaks
/// off later is in the notes of the profile's session, with the offset. Rules for stacks:
/// - The place of the sample, the first frame of each mode, and what an interrupt or exception came in
/// between
///   are where the CPU was; all other frames are return addresses and are looked up one byte earlier.
/// - Where the call chain begins elsewhere than the sample's own place (hardware that reports precise
/// addresses), that
///   place comes first, and the chain's begin stays as its caller where it is another function.
/// - Functions keep the names that perf gives them (".isra.0", ".cold"), so that both tools' tables can be
/// compared.
Result<PerfDataCapture> read_perf_data(ByteSource& source, const IngestOptions& options, CodeNames& names);

/// Bytes that a reader may hold for a capture of this size: what an analyst accepts for a file, and the bound
/// that hostile ones run into.
constexpr uint64_t memory_bound(uint64_t stored_bytes) {
  constexpr uint64_t kMega = 1 << 20;
  return 32 * kMega + 12 * stored_bytes;
}

}  // namespace nettoll
