// SPDX-License-Identifier: Apache-2.0
// The calling thread kept on some CPUs for a while.
#pragma once

#include <sched.h>

#include "base/cpu_set.h"

namespace nettoll {

/// Keeps the calling thread on the given CPUs for as long as it lives, where the kernel lets it.
class PinnedThread {
 public:
  explicit PinnedThread(const CpuSet& cpus) {
    if (::sched_getaffinity(0, sizeof(before_), &before_) != 0) return;
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    for (const uint32_t cpu : cpus.ids) {
      if (cpu < CPU_SETSIZE) CPU_SET(cpu, &wanted);
    }
    moved_ = ::sched_setaffinity(0, sizeof(wanted), &wanted) == 0;
  }
  PinnedThread(const PinnedThread&) = delete;
  PinnedThread& operator=(const PinnedThread&) = delete;
  ~PinnedThread() {
    if (moved_) ::sched_setaffinity(0, sizeof(before_), &before_);
  }

 private:
  cpu_set_t before_;
  bool moved_ = false;
};

}  // namespace nettoll
