// SPDX-License-Identifier: Apache-2.0
// What a command makes all CPUs do in kernel mode, by plain counting descriptors: a second opinion on totals.
//
//   count_cpu instructions|cycles COMMAND ARG...
//
// Prints "counted N" when the command has ended.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/kernel_fs.h"
#include "base/unique_fd.h"
#include "tests/vm/programs/hardware_counter.h"

namespace {

using namespace nettoll;

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

std::vector<UniqueFd> open_counters(uint64_t event) {
  const auto online = KernelFs().online_cpus();
  if (!online) die("online CPUs");
  std::vector<UniqueFd> counters;
  for (const uint32_t cpu : online->ids) {
    perf_event_attr attr = {};
    attr.exclude_user = 1;
    counters.push_back(hardware_counter(event, attr, -1, static_cast<int>(cpu)));
    if (!counters.back()) die("perf_event_open");
  }
  return counters;
}

uint64_t sum(const std::vector<UniqueFd>& counters) {
  uint64_t total = 0;
  for (const UniqueFd& counter : counters) {
    uint64_t value = 0;
    if (::read(counter.get(), &value, sizeof(value)) != sizeof(value)) die("read");
    total += value;
  }
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: count_cpu instructions|cycles COMMAND ARG...\n");
    return 2;
  }
  const bool cycles = std::strcmp(argv[1], "cycles") == 0;
  const auto counters = open_counters(cycles ? PERF_COUNT_HW_CPU_CYCLES : PERF_COUNT_HW_INSTRUCTIONS);
  const uint64_t before = sum(counters);
  const pid_t child = ::fork();
  if (child < 0) die("fork");
  if (child == 0) {
    ::execvp(argv[2], argv + 2);
    die(argv[2]);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) < 0) die("waitpid");
  std::printf("counted %llu\n", static_cast<unsigned long long>(sum(counters) - before));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
