// SPDX-License-Identifier: Apache-2.0
// perf.data as addresses: what recordings of perf hold, before anything is named.
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
#include "ingest/ingest_options.h"
#include "ingest/perf_abi.h"
#include "ingest/stack_tally.h"

namespace nettoll {

/// How the words of a stack in PerfDataCapture::tally are laid out:
///   0        kernel's space in the high, process's space in the low half (see AddressSpaces; 0 where no
///   frame needs it) 1        CpuMode of the sample 2        1 + frames of the call chain as recorded, or 0
///   where it has none 3        instruction pointer, or 0 where it was not recorded 4...     call chain as
///   recorded, markers included
inline constexpr size_t kStackHeadWords = 4;

/// CPU of samples that do not say theirs.
inline constexpr uint32_t kUnknownCpu = UINT32_MAX;

/// What a perf.data holds.
struct PerfDataCapture {
  CaptureFacts facts;
  EventTable events;
  AddressSpaces spaces;
  StackTally tally;

  std::array<uint64_t, perf::kRecordTypes> records{};  ///< by type
  uint64_t samples = 0;                                ///< in `tally`
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
  uint64_t wall_start_ns = 0;      ///< CLOCK_REALTIME of the first sample, 0 where unknown
  std::vector<std::string> notes;  ///< what was lost and where, what a reader has to know
};

/// Reads a perf.data. Fails where nothing in it can be read: no events, a head that is not known. What breaks
/// off later is in `notes`, with the offset.
Result<PerfDataCapture> read_perf_data(ByteSource& source, const IngestOptions& options);

/// Bytes that a reader may hold for a capture of this size: what an analyst accepts for a file, and the bound
/// that hostile ones run into.
constexpr uint64_t memory_bound(uint64_t stored_bytes) {
  constexpr uint64_t kMega = 1 << 20;
  return 32 * kMega + 8 * stored_bytes;
}

}  // namespace nettoll
