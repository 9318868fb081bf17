// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_time.h"

#include <time.h>

namespace nettoll {
namespace {

std::chrono::nanoseconds read_clock(clockid_t id) {
  timespec now = {};
  ::clock_gettime(id, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

std::chrono::nanoseconds thread_cpu_time() {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

std::chrono::nanoseconds process_cpu_time() {
  return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace nettoll
