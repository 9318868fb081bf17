// SPDX-License-Identifier: Apache-2.0
// What the first bytes of a packet say.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/drop_sample.h"

namespace nettoll {

/// Reads Ethernet with VLAN tags, IPv4, IPv6 with extension headers, ARP, TCP, UDP and ICMP, as far as the
/// bytes go. `protocol` is what the kernel knows the packet as: whether bytes from the MAC header on are
/// Ethernet is told by whether they name it at its place.
PacketHeaders parse_packet(std::span<const uint8_t> bytes, BytesBegin begin, size_t network_offset,
                           uint16_t protocol);

/// "tcp", "udp", "icmp", "icmpv6", else the number.
std::string transport_name(uint8_t transport);

/// "SYN", "SYN,ACK", "FIN,PSH,ACK"; "none" without any (RFC 9293).
std::string tcp_flags_text(uint8_t flags);

/// "10.0.0.1:53 > 10.0.0.2:4242 udp", "[fd00::1]:80 > ...", "10.0.0.1 > 10.0.0.2 icmp 3/1", "" for what is no
/// IP.
std::string flow_text(const PacketHeaders& headers);

}  // namespace nettoll
