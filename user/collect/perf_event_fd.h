// SPDX-License-Identifier: Apache-2.0
// One open perf event: the system calls, with errno as the error.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstdint>

#include "base/result.h"
#include "base/unique_fd.h"

namespace nettoll {

/// What a descriptor reads as. Sums since the event was opened.
struct PerfReading {
  uint64_t value = 0;
  uint64_t enabled_ns = 0;
  uint64_t running_ns = 0;
  uint64_t lost = 0;  ///< samples without room in the ring; 0 where the kernel does not tell

  bool operator==(const PerfReading&) const = default;
};

/// Owns the descriptor of one event.
class PerfEventFd {
 public:
  PerfEventFd() = default;

  /// perf_event_open(2) with close-on-exec. `read_format` of the attributes must be that of make_attr().
  static Result<PerfEventFd> open(const perf_event_attr& attr, pid_t pid, int cpu);

  int get() const { return fd_.get(); }
  uint64_t id() const { return id_; }
  /// Whether read() knows lost samples (PERF_FORMAT_LOST).
  bool counts_lost() const { return counts_lost_; }

  Result<PerfReading> read() const;
  Status enable() const;
  Status disable() const;
  /// Sends this event's records to the ring of `owner`, an event on the same CPU.
  Status redirect_to(const PerfEventFd& owner) const;

 private:
  UniqueFd fd_;
  uint64_t id_ = 0;
  bool counts_lost_ = false;
};

/// Whether the kernel takes PERF_FORMAT_LOST, found by opening an event that counts nothing.
bool kernel_counts_lost();

}  // namespace nettoll
