// SPDX-License-Identifier: Apache-2.0
#include "host/proc_net_udp.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

const std::string kHead =
    "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref "
    "pointer "
    "drops             \n";

TEST(ProcNetUdp, SocketsThatDroppedOrHoldSomething) {
  const auto table = parse_udp(kHead +
                                   "  412: 0100007F:0035 00000000:0000 07 00000000:00000000 00:00000000 "
                                   "00000000     0        0 100 2 0000000000000000 0\n"
                                   " 1203: 00000000:2329 00000000:0000 07 00000000:3FFFFFC0 00:00000000 "
                                   "00000000  1000        0 4711 2 ffff9a0c 1875166813\n"
                                   " 1204: 00000000:232A 00000000:0000 07 00000000:00000100 00:00000000 "
                                   "00000000  1000        0 4712 2 ffff9a0c 0\n",
                               false);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->skipped, 0u);
  ASSERT_EQ(table->sockets.size(), 2u);
  EXPECT_EQ(table->sockets[0].port, 9001);
  EXPECT_EQ(table->sockets[0].inode, 4711u);
  EXPECT_EQ(table->sockets[0].queued_bytes, 0x3fffffc0u);
  EXPECT_EQ(table->sockets[0].drops, 1875166813u);
  EXPECT_FALSE(table->sockets[0].ipv6);
  EXPECT_EQ(table->sockets[1].queued_bytes, 256u);
}

TEST(ProcNetUdp, Ipv6) {
  const auto table = parse_udp(
      "  sl  local_address                         remote_address                        st tx_queue "
      "rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n"
      "  5: 00000000000000000000000000000000:14E9 00000000000000000000000000000000:0000 07 00000000:00000000 "
      "00:00000000 00000000   101        0 22 2 0000 3\n",
      true);
  ASSERT_TRUE(table);
  ASSERT_EQ(table->sockets.size(), 1u);
  EXPECT_TRUE(table->sockets[0].ipv6);
  EXPECT_EQ(table->sockets[0].port, 5353);
  EXPECT_EQ(table->sockets[0].drops, 3u);
}

TEST(ProcNetUdp, BadRowsAreSkipped) {
  for (const char* row : {"1: 0:0035 0:0 07 0:1 0:0 0 0 0 9 2 0\n",     // a column is missing
                          "1: 0:10000 0:0 07 0:1 0:0 0 0 0 9 2 0 0\n",  // port
                          "1: 00 0:0 07 0:1 0:0 0 0 0 9 2 0 0\n",       //
                          "1: 0:0035 0:0 07 0:x 0:0 0 0 0 9 2 0 0\n",   //
                          "1: 0:0035 0:0 07 0:1 0:0 0 0 0 9 2 0 -1\n",  //
                          "1: 0:0035 0:0 07 0:1 0:0 0 0 0 99999999999999999999 2 0 0\n"}) {
    const auto table = parse_udp(kHead + row, false);
    ASSERT_TRUE(table) << row;
    EXPECT_EQ(table->skipped, 1u) << row;
    EXPECT_TRUE(table->sockets.empty()) << row;
  }
  EXPECT_FALSE(parse_udp("", false));
  EXPECT_FALSE(parse_udp("Inter-|   Receive\n", false));
}

}  // namespace
}  // namespace nettoll
