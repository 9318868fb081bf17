// SPDX-License-Identifier: Apache-2.0
// Messages of rtnetlink(7), without the socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "host/route_source.h"

namespace nettoll {

/// What follows nlmsghdr in an RTM_NEWLINK.
Result<RouteLink> parse_link(std::span<const std::byte> message);

struct QdiscOf {
  uint32_t ifindex = 0;
  Qdisc qdisc;
};

/// What follows nlmsghdr in an RTM_NEWQDISC.
Result<QdiscOf> parse_qdisc(std::span<const std::byte> message);

/// Handles as tc(8) prints them: "8001:", "0:", and of a parent "root", ":1", "8001:1".
std::string format_handle(uint32_t handle);
std::string format_parent(uint32_t parent);

}  // namespace nettoll
