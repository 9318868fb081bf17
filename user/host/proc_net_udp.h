// SPDX-License-Identifier: Apache-2.0
// /proc/net/udp and udp6 (udp4_format_sock in net/ipv4/udp.c).
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/host_state.h"

namespace nettoll {

struct UdpTable {
  std::vector<UdpSocket> sockets;  ///< that dropped or hold something, without their process
  uint64_t skipped = 0;            ///< rows that could not be read
};

/// Fails where the first line is not that of such a table.
Result<UdpTable> parse_udp(std::string_view text, bool ipv6);

}  // namespace nettoll
