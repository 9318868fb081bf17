// SPDX-License-Identifier: Apache-2.0
// Drops on a packet's way through IP that no counter of the protocol has.
#pragma once

#include <string_view>

#include "model/net.h"

namespace nettoll {

/// Whether a packet that InReceives counted ended here, neither delivered nor forwarded, and nothing but the
/// trace tells. `ethertype` is "ipv4" or "ipv6". True of:
/// - what a netfilter hook dropped at a device; a packet that this host sends has none in the output hook
///   (__ip_local_out in net/ipv4/ip_output.c),
/// - what routing refused: martians, and groups that nobody joined (ip_rcv_finish_core in
///   net/ipv4/ip_input.c, ip6_mc_input in net/ipv6/ip6_input.c); the reverse path filter and bad options have
///   counters,
/// - what was too large to be forwarded (ip_forward counts it as FragFails, as output does).
bool is_uncounted_ip_drop(const Drops& drop, std::string_view ethertype);

/// Whether such a drop, on a kernel that gives no reason for it, may be the reverse path filter's, which has
/// a counter.
bool may_be_reverse_path_filter(const Drops& drop);

/// Whether such a drop may have come after the packet was counted as forwarded.
bool may_follow_forwarding(const Drops& drop);

}  // namespace nettoll
