// SPDX-License-Identifier: Apache-2.0
#include "host/queue_statistics.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

using Counts = std::map<uint32_t, uint64_t>;

TEST(QueueStatistics, NamesOfDrivers) {
  const struct {
    const char* driver;
    StatisticsList statistics;
    QueueStatistics queues;
  } cases[] = {
      {"virtio_net, older",
       {{"rx_queue_0_packets", 5},
        {"rx_queue_0_bytes", 9},
        {"rx_queue_0_drops", 1},
        {"rx_queue_0_xdp_packets", 7},
        {"rx_queue_3_packets", 6},
        {"tx_queue_0_packets", 8}},
       {{{0, 5}, {3, 6}}, {{0, 1}}, {{0, 8}}}},
      {"virtio_net of 6.18, which counts packets elsewhere",
       {{"rx_drops", 3},
        {"rx0_drops", 2},
        {"rx0_xdp_packets", 4},
        {"rx0_xdp_drops", 4},
        {"rx1_drops", 1},
        {"tx0_kicks", 4}},
       {{}, {{0, 2}, {1, 1}}, {}}},
      {"mlx5_core",
       {{"rx_packets", 100},
        {"rx0_packets", 60},
        {"rx0_xsk_packets", 1},
        {"rx11_packets", 40},
        {"tx0_packets", 9},
        {"rx_vport_unicast_packets", 3},
        {"rx_65_to_127_bytes_phy", 3}},
       {{{0, 60}, {11, 40}}, {}, {{0, 9}}}},
      {"mlx4_en", {{"rx0_packets", 1}, {"rx0_dropped", 2}, {"rx_dropped", 9}}, {{{0, 1}}, {{0, 2}}, {}}},
      {"ixgbe",
       {{"rx_packets", 9}, {"rx_queue_12_packets", 1}, {"tx_queue_12_packets", 2}},
       {{{12, 1}}, {}, {{12, 2}}}},
      {"i40e",
       {{"rx-0.packets", 3}, {"tx-0.packets", 4}, {"veb.rx_tc_0_packets", 5}, {"port.rx_packets", 6}},
       {{{0, 3}}, {}, {{0, 4}}}},
      {"sfc", {{"rx-1.rx_packets", 3}, {"tx-1.tx_packets", 4}}, {{{1, 3}}, {}, {{1, 4}}}},
      {"ena",
       {{"queue_0_tx_cnt", 1}, {"queue_0_rx_cnt", 2}, {"queue_7_rx_cnt", 3}, {"queue_0_rx_bytes", 9}},
       {{{0, 2}, {7, 3}}, {}, {{0, 1}}}},
      {"bnxt_en",
       {{"[0]: rx_ucast_packets", 10},
        {"[0]: rx_mcast_packets", 2},
        {"[0]: rx_bcast_packets", 1},
        {"[0]: rx_discards", 4},
        {"[1]: rx_ucast_packets", 5},
        {"[1]: tx_ucast_packets", 6},
        {"rx_ucast_frames", 99}},
       {{{0, 13}, {1, 5}}, {{0, 4}}, {{1, 6}}}},
      {"gve",
       {{"rx_packets", 9}, {"rx_packets[0]", 4}, {"rx_dropped_pkt[0]", 1}, {"tx_packets[2]", 5}},
       {{{0, 4}}, {{0, 1}}, {{2, 5}}}},
      {"hns3", {{"rxq0_packets", 4}, {"txq0_packets", 5}}, {{{0, 4}}, {}, {{0, 5}}}},
      {"qede", {{"0: rcv_pkts", 4}, {"0: xmit_pkts", 5}}, {{{0, 4}}, {}, {{0, 5}}}},
      {"vmxnet3",
       {{"Tx Queue#", 0},
        {"  TSO pkts tx", 50},
        {"  ucast pkts tx", 3},
        {"  mcast pkts tx", 1},
        {"  bcast pkts tx", 1},
        {"Rx Queue#", 0},
        {"  LRO pkts rx", 70},
        {"  ucast pkts rx", 10},
        {"  mcast pkts rx", 2},
        {"  bcast pkts rx", 3},
        {"  pkts rx OOB", 4},
        {"  pkts rx err", 9},
        {"  drv dropped rx total", 5},
        {"Rx Queue#", 1},
        {"  ucast pkts rx", 7},
        {"tx timeout count", 0}},
       {{{0, 15}, {1, 7}}, {{0, 9}}, {{0, 5}}}},
      {"e1000e, which has one queue", {{"rx_packets", 5}, {"tx_packets", 6}, {"rx_missed_errors", 1}}, {}},
      {"nothing", {}, {}},
      {"odd numbers",
       {{"rx_queue_4294967296_packets", 1},
        {"rx_queue__packets", 1},
        {"rx_queue_-1_packets", 1},
        {"rx_queue_x_packets", 1}},
       {}},
  };
  for (const auto& c : cases) EXPECT_TRUE(queue_statistics(c.statistics) == c.queues) << c.driver;
}

}  // namespace
}  // namespace nettoll
