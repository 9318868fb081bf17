// SPDX-License-Identifier: Apache-2.0
#include "live/kernel_counters.h"

#include <gtest/gtest.h>

namespace nettoll::live {
namespace {

TEST(KernelCounters, ReadsNetDev) {
  const auto devices = parse_net_dev(
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo "
      "colls carrier "
      "compressed\n"
      "    lo:    3267      29    0    0    0     0          0         0     3267      29    0    0    0     "
      "0       0 "
      "         0\n"
      "eth0:1:10 2 3 4 5 6 7 8 18446744073709551615 12 13 14 15 16 17 18\n");
  ASSERT_TRUE(devices) << devices.error().text();
  ASSERT_EQ(devices->size(), 2u);
  EXPECT_EQ(devices->at("lo").rx_packets, 29u);
  const DeviceCounters& eth = devices->at("eth0:1");
  EXPECT_EQ(eth.rx_bytes, 10u);
  EXPECT_EQ(eth.rx_dropped, 4u);
  EXPECT_EQ(eth.tx_bytes, 18446744073709551615u);
  EXPECT_EQ(eth.tx_packets, 12u);
  EXPECT_EQ(eth.tx_dropped, 14u);
}

TEST(KernelCounters, ReadsSnmpUnderNstatNames) {
  const auto counters = parse_snmp(
      "Ip: Forwarding DefaultTTL\nIp: 2 64\n"
      "Tcp: MaxConn\nTcp: -1\n"
      "Udp: InDatagrams NoPorts\nUdp: 5 7\n");
  ASSERT_TRUE(counters) << counters.error().text();
  EXPECT_EQ(counters->at("UdpInDatagrams"), 5);
  EXPECT_EQ(counters->at("UdpNoPorts"), 7);
  EXPECT_EQ(counters->at("TcpMaxConn"), -1);
  const auto six = parse_snmp6("Ip6InReceives                   \t9\nUdp6NoPorts                     \t3\n");
  ASSERT_TRUE(six) << six.error().text();
  EXPECT_EQ(six->at("Udp6NoPorts"), 3);
}

TEST(KernelCounters, TakesTheCpuOfSoftnetFromItsColumn) {
  const auto cpus = parse_softnet_stat(
      "0000ff01 00000002 00000003 0 0 0 0 0 0 00000004 00000000 00000000 00000000 00000000 00000000\n"
      "00000010 00000000 00000000 0 0 0 0 0 0 00000000 00000000 00000000 00000005 00000000 00000000\n");
  ASSERT_TRUE(cpus) << cpus.error().text();
  ASSERT_EQ(cpus->size(), 2u);
  EXPECT_EQ(cpus->at(0).processed, 0xff01u);
  EXPECT_EQ(cpus->at(0).dropped, 2u);
  EXPECT_EQ(cpus->at(0).time_squeeze, 3u);
  EXPECT_EQ(cpus->at(0).received_rps, 4u);
  EXPECT_EQ(cpus->at(5).processed, 0x10u);
}

TEST(KernelCounters, RefusesWhatItDoesNotKnow) {
  EXPECT_FALSE(parse_net_dev("lo: 1 2 3\n"));
  EXPECT_FALSE(parse_net_dev("lo: a 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"));
  EXPECT_FALSE(parse_snmp("Udp: InDatagrams NoPorts\n"));
  EXPECT_FALSE(parse_snmp("Udp: InDatagrams NoPorts\nUdp: 1\n"));
  EXPECT_FALSE(parse_snmp("Udp: InDatagrams\nTcp: 1\n"));
  EXPECT_FALSE(parse_snmp6("Udp6NoPorts\n"));
  EXPECT_FALSE(parse_softnet_stat("xyz\n"));
  EXPECT_FALSE(parse_softnet_stat("1 2 3\n"));
}

TEST(KernelCounters, DifferencesWrapAsTheCountersDo) {
  KernelCounters before, after;
  before.softnet[1].processed = 0xfffffff0u;
  after.softnet[1].processed = 0x10u;
  before.devices["v"].rx_packets = 100;
  after.devices["v"].rx_packets = 142;
  after.protocols["UdpNoPorts"] = 3;
  const KernelCounters delta = difference(after, before);
  EXPECT_EQ(delta.softnet.at(1).processed, 0x20u);
  EXPECT_EQ(delta.softnet_processed(), 0x20u);
  EXPECT_EQ(delta.device("v").rx_packets, 42u);
  EXPECT_EQ(delta.protocol("UdpNoPorts"), 3);
  EXPECT_EQ(delta.protocol("NoSuchCounter"), 0);
  EXPECT_EQ(delta.device("none").rx_packets, 0u);
}

}  // namespace
}  // namespace nettoll::live
