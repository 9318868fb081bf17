// SPDX-License-Identifier: Apache-2.0
// Messages of the generic netlink family "netdev" about single queues
// (Documentation/netlink/specs/netdev.yaml), which came with 6.9. Drivers that count there no longer repeat
// it in ETHTOOL_GSTATS: virtio_net from 6.10 on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "base/result.h"
#include "host/queue_statistics.h"

namespace nettoll {

/// The number of the family, from the answer to family_request().
std::optional<uint16_t> parse_family(std::span<const std::byte> message);
/// What follows nlmsghdr in a CTRL_CMD_GETFAMILY for "netdev".
std::array<std::byte, 16> family_request();

/// What follows nlmsghdr in a NETDEV_CMD_QSTATS_GET for all devices, queue by queue.
std::array<std::byte, 12> qstats_request();
/// Adds what one answer to it says to that of its device, by ifindex. Fails where it names no queue.
Status add_qstats(std::span<const std::byte> message, std::map<uint32_t, QueueStatistics>& devices);

}  // namespace nettoll
