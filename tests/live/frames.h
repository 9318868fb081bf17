// SPDX-License-Identifier: Apache-2.0
// Packets made by hand, sent as they are: for what no socket would send.
#pragma once

#include <linux/if_packet.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "live/netns.h"

namespace nettoll::live {

/// Bytes of an IPv4 packet with a right header checksum.
struct Ipv4Packet {
  std::string source;
  std::string destination;
  uint8_t protocol = 17;
  uint8_t ttl = 64;
  std::vector<uint8_t> payload;
};
std::vector<uint8_t> ipv4_bytes(const Ipv4Packet& packet);

/// A UDP datagram of 8 bytes' header and 8 of payload, whose checksum is right or off by one.
std::vector<uint8_t> udp_bytes(const Ipv4Packet& ip, uint16_t source_port, uint16_t destination_port,
                               bool right_checksum = true);

/// A TCP segment without payload and with a right checksum.
std::vector<uint8_t> tcp_bytes(const Ipv4Packet& ip, uint16_t source_port, uint16_t destination_port,
                               uint8_t flags);

/// Where a packet socket sends a frame from one end of a pair to the other. To be asked inside `from`.
sockaddr_ll link_address(const VethEnd& from, const VethEnd& to, uint16_t ethertype);

/// Sends a frame with this EtherType and payload from one end of a pair to the other, `count` times.
Status send_frames(const VethEnd& from, const VethEnd& to, uint16_t ethertype,
                   const std::vector<uint8_t>& payload, unsigned count);

}  // namespace nettoll::live
