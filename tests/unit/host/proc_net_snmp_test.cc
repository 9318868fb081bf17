// SPDX-License-Identifier: Apache-2.0
#include "host/proc_net_snmp.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(ProcNetSnmp, PairsOfLines) {
  const auto counters = parse_snmp(
      "Tcp: RtoMin MaxConn InErrs\nTcp: 200 -1 5\n"
      "Udp: InDatagrams NoPorts RcvbufErrors\nUdp: 88542 120 9\n"
      "UdpLite: InDatagrams\nUdpLite: 1\n");
  ASSERT_TRUE(counters);
  EXPECT_EQ(*counters, (ProtocolCounters{{"Tcp.RtoMin", 200},
                                         {"Tcp.InErrs", 5},
                                         {"Udp.InDatagrams", 88542},
                                         {"Udp.NoPorts", 120},
                                         {"Udp.RcvbufErrors", 9},
                                         {"UdpLite.InDatagrams", 1}}));
  EXPECT_TRUE(parse_snmp("")->empty());
}

TEST(ProcNetSnmp, Refuses) {
  for (const char* text : {"Udp: A B\n", "Udp: A B\nUdp: 1\n", "Udp: A\nTcp: 1\n", "Udp: A\nUdp: x\n",
                           "Udp A\nUdp 1\n", "Udp: A\nUdp: 18446744073709551616\n"})
    EXPECT_FALSE(parse_snmp(text)) << text;
}

TEST(ProcNetSnmp, Six) {
  const auto counters =
      parse_snmp6("Ip6InReceives   \t7\nUdp6RcvbufErrors 3\nUdpLite6InErrors 0\nIcmp6InType133 2\n");
  ASSERT_TRUE(counters);
  EXPECT_EQ(*counters, (ProtocolCounters{{"Ip6.InReceives", 7},
                                         {"Udp6.RcvbufErrors", 3},
                                         {"UdpLite6.InErrors", 0},
                                         {"Icmp6.InType133", 2}}));
  for (const char* text :
       {"Udp6RcvbufErrors\n", "Udp6RcvbufErrors x\n", "UdpRcvbufErrors 3\n", "Udp6X 1 2\n"})
    EXPECT_FALSE(parse_snmp6(text)) << text;
}

}  // namespace
}  // namespace nettoll
