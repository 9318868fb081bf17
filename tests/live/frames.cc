// SPDX-License-Identifier: Apache-2.0
#include "live/frames.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdio>
#include <cstring>

namespace nettoll::live {
namespace {

void put16(std::vector<uint8_t>& to, uint16_t value) {
  to.push_back(static_cast<uint8_t>(value >> 8));
  to.push_back(static_cast<uint8_t>(value));
}

void put_address(std::vector<uint8_t>& to, const std::string& text) {
  uint8_t bytes[4] = {};
  ::inet_pton(AF_INET, text.c_str(), bytes);
  to.insert(to.end(), bytes, bytes + 4);
}

/// The Internet checksum (RFC 1071) of an even number of bytes.
uint16_t checksum(const std::vector<uint8_t>& bytes) {
  uint32_t sum = 0;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) sum += static_cast<uint32_t>(bytes[i] << 8 | bytes[i + 1]);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}

uint16_t transport_checksum(const Ipv4Packet& ip, const std::vector<uint8_t>& segment) {
  std::vector<uint8_t> all;
  put_address(all, ip.source);
  put_address(all, ip.destination);
  put16(all, ip.protocol);
  put16(all, static_cast<uint16_t>(segment.size()));
  all.insert(all.end(), segment.begin(), segment.end());
  return checksum(all);
}

void set16(std::vector<uint8_t>& in, size_t at, uint16_t value) {
  in[at] = static_cast<uint8_t>(value >> 8);
  in[at + 1] = static_cast<uint8_t>(value);
}

}  // namespace

std::vector<uint8_t> ipv4_bytes(const Ipv4Packet& packet) {
  std::vector<uint8_t> bytes{0x45, 0};
  put16(bytes, static_cast<uint16_t>(20 + packet.payload.size()));
  put16(bytes, 0);
  put16(bytes, 0);
  bytes.push_back(packet.ttl);
  bytes.push_back(packet.protocol);
  put16(bytes, 0);
  put_address(bytes, packet.source);
  put_address(bytes, packet.destination);
  set16(bytes, 10, checksum(bytes));
  bytes.insert(bytes.end(), packet.payload.begin(), packet.payload.end());
  return bytes;
}

std::vector<uint8_t> udp_bytes(const Ipv4Packet& ip, uint16_t source_port, uint16_t destination_port,
                               bool right_checksum) {
  Ipv4Packet packet = ip;
  packet.protocol = IPPROTO_UDP;
  std::vector<uint8_t> segment;
  put16(segment, source_port);
  put16(segment, destination_port);
  put16(segment, 16);
  put16(segment, 0);
  segment.resize(16, 'n');
  set16(segment, 6, static_cast<uint16_t>(transport_checksum(packet, segment) + (right_checksum ? 0 : 1)));
  packet.payload = segment;
  return ipv4_bytes(packet);
}

std::vector<uint8_t> tcp_bytes(const Ipv4Packet& ip, uint16_t source_port, uint16_t destination_port,
                               uint8_t flags) {
  Ipv4Packet packet = ip;
  packet.protocol = IPPROTO_TCP;
  std::vector<uint8_t> segment;
  put16(segment, source_port);
  put16(segment, destination_port);
  segment.resize(12, 1);  // sequence and acknowledgement numbers
  segment.push_back(5 << 4);
  segment.push_back(flags);
  put16(segment, 1024);
  put16(segment, 0);
  put16(segment, 0);
  set16(segment, 16, transport_checksum(packet, segment));
  packet.payload = segment;
  return ipv4_bytes(packet);
}

sockaddr_ll link_address(const VethEnd& from, const VethEnd& to, uint16_t ethertype) {
  sockaddr_ll address = {};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ethertype);
  address.sll_ifindex = static_cast<int>(::if_nametoindex(from.device.c_str()));
  address.sll_halen = 6;
  unsigned mac[6] = {};
  std::sscanf(to.mac.c_str(), "%x:%x:%x:%x:%x:%x", &mac[0], &mac[1], &mac[2], &mac[3], &mac[4], &mac[5]);
  for (size_t i = 0; i < 6; ++i) address.sll_addr[i] = static_cast<unsigned char>(mac[i]);
  return address;
}

Status send_frames(const VethEnd& from, const VethEnd& to, uint16_t ethertype,
                   const std::vector<uint8_t>& payload, unsigned count) {
  return from.ns.run([&]() -> Status {
    const UniqueFd fd(::socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!fd) return system_error("cannot open a packet socket", errno);
    const sockaddr_ll address = link_address(from, to, ethertype);
    for (unsigned i = 0; i < count; ++i) {
      const auto sent = ::sendto(fd.get(), payload.data(), payload.size(), 0,
                                 reinterpret_cast<const sockaddr*>(&address), sizeof(address));
      if (sent != static_cast<ssize_t>(payload.size())) return system_error("cannot send a frame", errno);
    }
    return {};
  });
}

}  // namespace nettoll::live
