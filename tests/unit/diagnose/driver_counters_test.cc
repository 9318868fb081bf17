// SPDX-License-Identifier: Apache-2.0
#include "diagnose/driver_counters.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(DriverCounter, Names) {
  const struct {
    const char* name;
    DriverCounter kind;
  } cases[] = {
      {"rx_missed_errors", DriverCounter::ring_full},
      {"rx_no_buffer_count", DriverCounter::ring_full},
      {"rx_out_of_buffer", DriverCounter::ring_full},
      {"rx_discards_phy", DriverCounter::ring_full},
      {"rx_dropped", DriverCounter::dropped},
      {"rx_queue_12_drops", DriverCounter::dropped},
      {"rx3_drops", DriverCounter::dropped},
      {"queue_0_rx_refil_partial", DriverCounter::no_memory},
      {"queue_7_rx_page_alloc_fail", DriverCounter::no_memory},
      {"rx_xdp_drop", DriverCounter::xdp_drop},
      {"rx0_xdp_drop", DriverCounter::xdp_drop},
      {"rx_queue_0_xdp_drops", DriverCounter::xdp_drop},
      {"queue_0_rx_xdp_drop", DriverCounter::xdp_drop},
      {"rx_queue_0_xdp_tx_errors", DriverCounter::xdp_failure},
      {"queue_0_rx_xdp_aborted", DriverCounter::xdp_failure},
      {"tx_queue_dropped", DriverCounter::transmit},
      {"rx_crc_errors_phy", DriverCounter::bad_frame},
      {"", DriverCounter::other},
      {"12", DriverCounter::other},
      {"rx_packets", DriverCounter::other},
      {"rx_queue_0_packets", DriverCounter::other},
      {"rx_queue_0_xdp_packets", DriverCounter::other},
      {"not_rx_missed_errors", DriverCounter::other},
  };
  for (const auto& c : cases) EXPECT_EQ(driver_counter(c.name), c.kind) << c.name;
}

Nic nic_with(std::map<std::string, uint64_t> statistics) {
  Nic nic;
  nic.statistics.value = std::move(statistics);
  return nic;
}

TEST(DriverLosses, QueuesAreAddedUp) {
  const Nic nic = nic_with({{"rx_queue_0_drops", 3}, {"rx_queue_1_drops", 4}, {"rx_queue_2_drops", 0}});
  EXPECT_EQ(driver_loss(nic, DriverCounter::dropped), 7u);
  ASSERT_EQ(driver_losses(nic, DriverCounter::dropped).size(), 1u);
  EXPECT_EQ(driver_losses(nic, DriverCounter::dropped)[0].name, "rx_drops");
}

TEST(DriverLosses, ATotalIsNotAddedToItsParts) {
  const Nic nic = nic_with({{"rx_xdp_drop", 9}, {"rx0_xdp_drop", 4}, {"rx1_xdp_drop", 5}});
  EXPECT_EQ(driver_losses(nic, DriverCounter::xdp_drop).size(), 1u);
  EXPECT_EQ(driver_loss(nic, DriverCounter::xdp_drop), 9u);
}

TEST(DriverLosses, WithoutStatisticsThereAreNone) {
  EXPECT_TRUE(driver_losses(Nic{}, DriverCounter::ring_full).empty());
  EXPECT_EQ(ring_losses(Nic{}), 0u);
}

}  // namespace
}  // namespace nettoll
