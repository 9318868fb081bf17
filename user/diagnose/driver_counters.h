// SPDX-License-Identifier: Apache-2.0
// What drivers call their counters of loss (ethtool -S). Names have no standard; the table is modest and each
// row names a driver that uses it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/host_state.h"

namespace nettoll {

enum class DriverCounter : uint8_t {
  other,
  ring_full,    ///< a packet came and the receive ring had no free descriptor, or the device no memory
  dropped,      ///< in the driver, it does not say why; XDP's may be among them, as in virtio_net
  no_memory,    ///< the driver could not get memory to refill the ring
  bad_frame,    ///< damaged on the wire
  xdp_drop,     ///< an XDP program said XDP_DROP
  xdp_failure,  ///< XDP_ABORTED, an invalid verdict, or no room where the packet was to go
  transmit,     ///< not sent
};

/// The meaning of a name. Counters of one queue mean the same as those of the device.
DriverCounter driver_counter(std::string_view name);

/// True for a counter of one queue ("rx_queue_3_drops", "rx3_xdp_drop", "queue_0_rx_refill_fail").
bool is_queue_counter(std::string_view name);

struct DriverLoss {
  std::string name;
  uint64_t packets = 0;
};

/// The counters of a kind that are not 0. Where a device has both a total and counters by queue the total
/// alone is taken: the others are its parts.
std::vector<DriverLoss> driver_losses(const Nic& nic, DriverCounter kind);

/// The largest of them: several names may be for the same packets (a driver's own counter and the one that
/// rtnl_link_stats64 was made of). Counters by queue are added up first.
uint64_t driver_loss(const Nic& nic, DriverCounter kind);

/// Packets that the device had no place for, from its driver and from rtnl_link_stats64 (rx_missed_errors,
/// rx_fifo_errors): the largest, since they overlap. What drivers dropped for reasons of their own counts as
/// far as XDP does not account for it.
uint64_t ring_losses(const Nic& nic);

}  // namespace nettoll
