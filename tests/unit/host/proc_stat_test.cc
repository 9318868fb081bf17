// SPDX-License-Identifier: Apache-2.0
#include "host/proc_stat.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(ProcStat, TimesByCpu) {
  const auto cpus = parse_cpu_times(
      "cpu  30 3 11 89 35 2 39 1 44 36\n"
      "cpu0 10 1 4 40 5 1 19 0 4 6\n"
      "cpu3 20 2 7 49 30 1 20 1 40 30\n"
      "intr 8885917 17 0\n"
      "softirq 5057579 250191\n");
  ASSERT_TRUE(cpus);
  ASSERT_EQ(cpus->size(), 2u);
  const CpuTimes& three = cpus->at(3);
  EXPECT_EQ(three.user, 20u);
  EXPECT_EQ(three.nice, 2u);
  EXPECT_EQ(three.system, 7u);
  EXPECT_EQ(three.idle, 49u);
  EXPECT_EQ(three.iowait, 30u);
  EXPECT_EQ(three.irq, 1u);
  EXPECT_EQ(three.softirq, 20u);
  EXPECT_EQ(three.steal, 1u);
  EXPECT_EQ(three.total(), 130u);
}

TEST(ProcStat, Refuses) {
  for (const char* text : {"", "cpu 1 2 3 4 5 6 7 8\n", "cpu0 1 2 3 4 5 6 7\n", "cpux 1 2 3 4 5 6 7 8\n",
                           "cpu0 1 2 3 4 5 6 7 -8\n", "cpu0 99999999999999999999 2 3 4 5 6 7 8\n",
                           "cpu0 1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 8\n"})
    EXPECT_FALSE(parse_cpu_times(text)) << text;
}

}  // namespace
}  // namespace nettoll
