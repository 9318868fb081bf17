// SPDX-License-Identifier: Apache-2.0
#include "host/proc_softirqs.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(ProcSoftirqs, ByCpuAndName) {
  const auto table = parse_softirqs(
      "                    CPU0       CPU3\n"
      "      NET_TX:          4          1\n"
      "      NET_RX:   51704195       5562\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->skipped, 0u);
  EXPECT_EQ(table->by_cpu.at(0).at("NET_RX"), 51704195u);
  EXPECT_EQ(table->by_cpu.at(3).at("NET_RX"), 5562u);
  EXPECT_EQ(table->by_cpu.at(3).at("NET_TX"), 1u);
  EXPECT_EQ(table->by_cpu.size(), 2u);
}

TEST(ProcSoftirqs, BadRowsAreSkipped) {
  for (const char* row : {"NET_RX: 1\n", "NET_RX: 1 2 3\n", "NET_RX: 1 x\n", "NET_RX 1 2\n",
                          "NET_RX: 1 99999999999999999999\n"}) {
    const auto table = parse_softirqs(std::string(" CPU0 CPU1\n TIMER: 1 2\n") + row);
    ASSERT_TRUE(table) << row;
    EXPECT_EQ(table->skipped, 1u) << row;
    EXPECT_FALSE(table->by_cpu.at(0).contains("NET_RX")) << row;
  }
  EXPECT_FALSE(parse_softirqs("NET_RX: 1\n"));
  EXPECT_FALSE(parse_softirqs(""));
}

}  // namespace
}  // namespace nettoll
