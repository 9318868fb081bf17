// SPDX-License-Identifier: Apache-2.0
#include "host/pid_stat.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(PidStat, NamesMayHoldAnything) {
  const struct {
    const char* line;
    const char* comm;
    bool kernel_thread;
    uint64_t ticks;
  } cases[] = {
      {"15 (ksoftirqd/0) S 2 0 0 0 -1 69238848 0 0 0 0 3 1290 0 0 20 0 1 0 29 0 0", "ksoftirqd/0", true,
       1293},
      {"77 (a) b (c d)) R 1 77 77 0 -1 4194304 9 0 0 0 10 20 0 0 20 0 1 0 29 0 0", "a) b (c d)", false, 30},
      {"78 () R 1 77 77 0 -1 4194304 9 0 0 0 0 0", "", false, 0},
  };
  for (const auto& c : cases) {
    const auto stat = parse_pid_stat(c.line);
    ASSERT_TRUE(stat) << c.line;
    EXPECT_EQ(stat->comm, c.comm);
    EXPECT_EQ(stat->kernel_thread, c.kernel_thread) << c.line;
    EXPECT_EQ(stat->ticks, c.ticks) << c.line;
  }
}

TEST(PidStat, Refuses) {
  for (const char* line :
       {"", "15 ksoftirqd S 2", "15 (ksoftirqd/0", "15 ) (", "15 (x) S 2 0 0 0 -1 69238848 0 0 0 0 3",
        "15 (x) S 2 0 0 0 -1 69238848 0 0 0 0 3 -4", "15 (x) S 2 0 0 0 -1 y 0 0 0 0 3 4"})
    EXPECT_FALSE(parse_pid_stat(line)) << line;
}

}  // namespace
}  // namespace nettoll
