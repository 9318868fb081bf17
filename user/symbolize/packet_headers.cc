// SPDX-License-Identifier: Apache-2.0
#include "symbolize/packet_headers.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if_ether.h>
#include <netinet/in.h>

#include <algorithm>

namespace nettoll {
namespace {

constexpr size_t kEthernet = ETH_HLEN, kVlan = 4;

/// Bytes with a bound: reads beyond it give nothing.
class Bytes {
 public:
  explicit Bytes(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  size_t size() const { return bytes_.size(); }
  bool has(size_t offset, size_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }
  uint8_t u8(size_t offset) const { return bytes_[offset]; }
  uint16_t u16(size_t offset) const {
    return static_cast<uint16_t>(bytes_[offset] << 8 | bytes_[offset + 1]);
  }
  const uint8_t* at(size_t offset) const { return bytes_.data() + offset; }

 private:
  std::span<const uint8_t> bytes_;
};

bool is_vlan(uint16_t ethertype) {
  return ethertype == ETH_P_8021Q || ethertype == ETH_P_8021AD;
}

std::string address(int family, const uint8_t* bytes) {
  char text[INET6_ADDRSTRLEN] = {};
  return ::inet_ntop(family, bytes, text, sizeof(text)) ? text : "";
}

/// Takes an Ethernet header with its VLAN tags at the start of `bytes`. It is one only if it names
/// `protocol`, for devices without (tunnels, tun) have a MAC header of another kind or of no length.
void parse_ethernet(const Bytes& bytes, uint16_t protocol, PacketHeaders& headers) {
  if (!bytes.has(0, kEthernet)) return;
  size_t offset = kEthernet;
  uint16_t ethertype = bytes.u16(offset - 2);
  bool named = ethertype == protocol;
  for (size_t tag = 0; tag < kMostVlanTags && is_vlan(ethertype) && bytes.has(offset, kVlan); ++tag) {
    offset += kVlan;
    ethertype = bytes.u16(offset - 2);
    named |= ethertype == protocol;
  }
  // A length in place of the type: IEEE 802.3, which the kernel names by numbers of its own below 0x0600.
  named |= ethertype < ETH_P_802_3_MIN && protocol < ETH_P_802_3_MIN;
  if (!named) return;
  headers.ethernet = true;
  headers.ethertype = ethertype < ETH_P_802_3_MIN ? protocol : ethertype;
  headers.network_offset = offset;
}

/// The bytes of an ICMP error that are headers: its own, and those of the packet that it is about.
size_t icmp_size(const PacketHeaders& headers) {
  constexpr size_t kOwn = 8, kPorts = 8;
  const uint8_t type = *headers.icmp_type;
  if (headers.ip_version == 6) return type < 128 ? kOwn + 40 + kPorts : kOwn;
  const bool error = type == 3 || type == 4 || type == 5 || type == 11 || type == 12;
  return error ? kOwn + 20 + kPorts : kOwn;
}

void parse_transport(const Bytes& bytes, size_t offset, PacketHeaders& headers) {
  const uint8_t transport = *headers.transport;
  size_t size = 0;
  if (transport == IPPROTO_TCP || transport == IPPROTO_UDP) {
    if (!bytes.has(offset, 4)) return;
    headers.source_port = bytes.u16(offset);
    headers.destination_port = bytes.u16(offset + 2);
    size = 8;
    if (transport == IPPROTO_TCP && bytes.has(offset, 14)) {
      headers.tcp_flags = bytes.u8(offset + 13);
      size = std::max<size_t>(20, static_cast<size_t>(bytes.u8(offset + 12) >> 4) * 4);
    }
  } else if (headers.ip_version == 6 ? transport == IPPROTO_ICMPV6 : transport == IPPROTO_ICMP) {
    if (!bytes.has(offset, 2)) return;
    headers.icmp_type = bytes.u8(offset);
    headers.icmp_code = bytes.u8(offset + 1);
    size = icmp_size(headers);
  }
  headers.headers_size = std::min(bytes.size(), offset + size);
}

void parse_ipv4(const Bytes& bytes, PacketHeaders& headers) {
  const size_t start = headers.network_offset;
  if (!bytes.has(start, 20) || bytes.u8(start) >> 4 != 4) return;
  const size_t size = static_cast<size_t>(bytes.u8(start) & 15) * 4;
  if (size < 20) return;
  headers.ip_version = 4;
  headers.source = address(AF_INET, bytes.at(start + 12));
  headers.destination = address(AF_INET, bytes.at(start + 16));
  headers.transport = bytes.u8(start + 9);
  headers.fragment = (bytes.u16(start + 6) & 0x1fff) != 0;
  headers.headers_size = std::min(bytes.size(), start + size);
  if (!headers.fragment) parse_transport(bytes, start + size, headers);
}

/// Extension headers (RFC 8200, section 4; ipv6_ext_hdr() in net/ipv6/exthdrs_core.c).
/// bpf/drop_protocol.bpf.h looks behind the same.
bool is_extension(uint8_t header) {
  return header == IPPROTO_HOPOPTS || header == IPPROTO_ROUTING || header == IPPROTO_FRAGMENT ||
         header == IPPROTO_AH || header == IPPROTO_DSTOPTS || header == IPPROTO_MH;
}

/// The size of the extension header at `offset`.
size_t extension_size(const Bytes& bytes, size_t offset, uint8_t header) {
  if (header == IPPROTO_FRAGMENT) return 8;
  const size_t length = bytes.u8(offset + 1);
  return header == IPPROTO_AH ? (length + 2) * 4 : (length + 1) * 8;
}

void parse_ipv6(const Bytes& bytes, PacketHeaders& headers) {
  const size_t start = headers.network_offset;
  if (!bytes.has(start, 40) || bytes.u8(start) >> 4 != 6) return;
  headers.ip_version = 6;
  headers.source = address(AF_INET6, bytes.at(start + 8));
  headers.destination = address(AF_INET6, bytes.at(start + 24));
  uint8_t next = bytes.u8(start + 6);
  size_t offset = start + 40;
  for (size_t i = 0; i < kMostExtensionHeaders && is_extension(next) && bytes.has(offset, 8); ++i) {
    if (next == IPPROTO_FRAGMENT) headers.fragment = (bytes.u16(offset + 2) & 0xfff8) != 0;
    const size_t size = extension_size(bytes, offset, next);
    next = bytes.u8(offset);
    offset += size;
    if (headers.fragment) break;
  }
  headers.headers_size = std::min(bytes.size(), offset);
  if (is_extension(next) && !headers.fragment) return;
  headers.transport = next;
  if (!headers.fragment) parse_transport(bytes, offset, headers);
}

}  // namespace

PacketHeaders parse_packet(std::span<const uint8_t> span, BytesBegin begin, size_t network_offset,
                           uint16_t protocol) {
  PacketHeaders headers;
  const Bytes bytes(span);
  headers.ethertype = protocol;
  headers.network_offset = std::min(network_offset, bytes.size());
  if (begin == BytesBegin::mac) parse_ethernet(bytes, protocol, headers);
  headers.headers_size = std::min(headers.network_offset, bytes.size());
  if (headers.ethertype == ETH_P_IP) parse_ipv4(bytes, headers);
  if (headers.ethertype == ETH_P_IPV6) parse_ipv6(bytes, headers);
  constexpr size_t kArp = 28;  // of IPv4 on Ethernet
  if (headers.ethertype == ETH_P_ARP)
    headers.headers_size = std::min(bytes.size(), headers.network_offset + kArp);
  return headers;
}

std::string transport_name(uint8_t transport) {
  switch (transport) {
    case IPPROTO_TCP:
      return "tcp";
    case IPPROTO_UDP:
      return "udp";
    case IPPROTO_ICMP:
      return "icmp";
    case IPPROTO_ICMPV6:
      return "icmpv6";
    default:
      return std::to_string(transport);
  }
}

std::string tcp_flags_text(uint8_t flags) {
  constexpr const char* kNames[] = {"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"};
  std::string text;
  for (size_t bit = 0; bit < std::size(kNames); ++bit) {
    if (!(flags >> bit & 1)) continue;
    if (!text.empty()) text += ',';
    text += kNames[bit];
  }
  return text.empty() ? "none" : text;
}

std::string flow_text(const PacketHeaders& headers) {
  if (headers.source.empty()) return {};
  const auto end = [&](const std::string& host, const std::optional<uint16_t>& port) {
    if (!port) return host;
    return headers.ip_version == 6 ? fmt::format("[{}]:{}", host, *port) : fmt::format("{}:{}", host, *port);
  };
  std::string text = fmt::format("{} > {}", end(headers.source, headers.source_port),
                                 end(headers.destination, headers.destination_port));
  if (headers.transport) text += " " + transport_name(*headers.transport);
  if (headers.icmp_type) text += fmt::format(" {}/{}", *headers.icmp_type, *headers.icmp_code);
  if (headers.tcp_flags) text += " " + tcp_flags_text(*headers.tcp_flags);
  if (headers.fragment) text += " fragment";
  return text;
}

}  // namespace nettoll
