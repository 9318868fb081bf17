// SPDX-License-Identifier: Apache-2.0
// One ring that the kernel writes records into and that we read. The protocol is that of perf_event_open(2)
// and linux/perf_event.h: the kernel moves data_head, the reader data_tail, each with its barrier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "collect/perf_record.h"

namespace nettoll {

/// Owns the mapping of one ring.
class PerfRing {
 public:
  PerfRing() = default;

  /// Maps the ring of the event `fd` with `data_bytes` of records, a power of two of at least a page. Where
  /// the kernel refuses the memory (perf_event_mlock_kb), tries halves down to a page. The error has errno.
  static Result<PerfRing> map(int fd, size_t data_bytes);

  /// Takes a mapping that is a perf_event_mmap_page (one page of the system's size) followed by
  /// `data_bytes` of records.
  PerfRing(Mapping mapping, size_t data_bytes);

  /// Decodes every record that is complete now and gives their room back to the kernel. One that contradicts
  /// the ring's own bounds ends the pass: it and what follows are dropped as one unmatched record.
  void drain(RecordSink& sink);

  size_t data_bytes() const { return data_bytes_; }
  explicit operator bool() const { return static_cast<bool>(mapping_); }

 private:
  Mapping mapping_;
  size_t data_bytes_ = 0;
  std::vector<uint64_t> joined_;  ///< a record that wraps around the end, in one piece
};

}  // namespace nettoll
