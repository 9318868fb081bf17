// SPDX-License-Identifier: Apache-2.0
// A hardware event that a program of the guests counts by, without nettoll.
#pragma once

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "base/unique_fd.h"

/// Counts one of PERF_COUNT_HW_*, as `attr` says else, of a process on a CPU (perf_event_open(2)); empty,
/// with errno, where that fails.
inline nettoll::UniqueFd hardware_counter(uint64_t event, perf_event_attr attr, int process, int cpu) {
  attr.size = sizeof(attr);
  attr.type = PERF_TYPE_HARDWARE;
  attr.config = event;
  return nettoll::UniqueFd(
      static_cast<int>(::syscall(SYS_perf_event_open, &attr, process, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
}
