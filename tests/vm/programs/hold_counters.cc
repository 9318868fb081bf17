// SPDX-License-Identifier: Apache-2.0
// Another profiler: holds all counters of each CPU's PMU by pinned events, until it is killed.
//
//   hold_counters
//
// Prints "held N" when N counters are held, and no CPU has one left.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/kernel_fs.h"
#include "base/unique_fd.h"
#include "tests/vm/programs/hardware_counter.h"

namespace {

using nettoll::UniqueFd;

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

UniqueFd open_pinned(uint32_t cpu) {
  perf_event_attr attr = {};
  attr.pinned = 1;
  UniqueFd fd = hardware_counter(PERF_COUNT_HW_CPU_CYCLES, attr, -1, static_cast<int>(cpu));
  if (!fd) die("perf_event_open");
  return fd;
}

/// A pinned event that found no counter reads as the end of file (perf_event_open(2)).
bool has_counter(const UniqueFd& event) {
  uint64_t value = 0;
  const ssize_t got = ::read(event.get(), &value, sizeof(value));
  if (got < 0) die("read");
  return got > 0;
}

}  // namespace

int main() {
  constexpr int kMost = 64;  // no PMU has as many
  const auto online = nettoll::KernelFs().online_cpus();
  if (!online) die("online CPUs");
  std::vector<UniqueFd> held;
  for (const uint32_t cpu : online->ids) {
    bool more = true;
    for (int i = 0; i < kMost && more; ++i) {
      UniqueFd event = open_pinned(cpu);
      more = has_counter(event);
      if (more) held.push_back(std::move(event));
    }
    if (more) {
      std::fprintf(stderr, "hold_counters: CPU %u has no end of counters\n", cpu);
      return 1;
    }
  }
  std::printf("held %zu\n", held.size());
  std::fflush(stdout);
  while (true) ::pause();
}
