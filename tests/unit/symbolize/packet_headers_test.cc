// SPDX-License-Identifier: Apache-2.0
#include "symbolize/packet_headers.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Bytes kMacs{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2};
const Bytes kEther4 = kMacs + Bytes{0x08, 0x00};

Bytes ipv4(uint8_t transport, uint16_t fragment = 0, uint8_t words = 5) {
  Bytes bytes{static_cast<uint8_t>(0x40 | words),
              0,
              0,
              60,
              0,
              1,
              static_cast<uint8_t>(fragment >> 8),
              static_cast<uint8_t>(fragment),
              64,
              transport,
              0,
              0,
              10,
              0,
              0,
              1,
              10,
              0,
              0,
              2};
  bytes.resize(words * 4u, 1);
  return bytes;
}
Bytes ipv6(uint8_t next) {
  Bytes bytes{0x60, 0, 0, 0, 0, 8, next, 64, 0xfd};
  bytes.resize(23, 0);
  bytes.push_back(1);
  bytes.push_back(0xfd);
  bytes.resize(39, 0);
  bytes.push_back(2);
  return bytes;
}
const Bytes kUdp{0x00, 0x35, 0x10, 0x92, 0, 16, 0, 0};
const Bytes kPayload{1, 2, 3, 4};
Bytes tcp(uint8_t flags, uint8_t words = 5) {
  Bytes bytes{0x00,  0x50, 0x10, 0x92, 0, 0, 0, 1, 0, 0, 0, 0, static_cast<uint8_t>(words << 4),
              flags, 1,    0,    0,    0, 0, 0};
  bytes.resize(words * 4u, 1);
  return bytes;
}

TEST(PacketHeaders, ReadsUdpBehindEthernet) {
  const auto h = parse_packet(kEther4 + ipv4(17) + kUdp + kPayload, BytesBegin::mac, 14, 0x0800);
  EXPECT_TRUE(h.ethernet);
  EXPECT_EQ(h.ethertype, 0x0800);
  EXPECT_EQ(h.network_offset, 14u);
  EXPECT_EQ(h.headers_size, 42u) << "no payload";
  EXPECT_EQ(flow_text(h), "10.0.0.1:53 > 10.0.0.2:4242 udp");
}

TEST(PacketHeaders, ReadsFromTheNetworkHeaderOn) {
  const auto h = parse_packet(ipv4(6, 0, 6) + tcp(0x12, 8) + kPayload, BytesBegin::network, 0, 0x0800);
  EXPECT_FALSE(h.ethernet);
  EXPECT_EQ(h.headers_size, 24u + 32) << "with options of both";
  EXPECT_EQ(flow_text(h), "10.0.0.1:80 > 10.0.0.2:4242 tcp SYN,ACK");
}

TEST(PacketHeaders, AMacHeaderOfAnotherKindIsNoEthernet) {
  // As of a tun device: the MAC header has no length.
  const auto h = parse_packet(ipv4(17) + kUdp, BytesBegin::mac, 0, 0x0800);
  EXPECT_FALSE(h.ethernet);
  EXPECT_EQ(flow_text(h), "10.0.0.1:53 > 10.0.0.2:4242 udp");
}

TEST(PacketHeaders, LooksBehindVlanTags) {
  const auto tagged = kMacs + Bytes{0x88, 0xa8, 0, 5, 0x81, 0x00, 0, 6, 0x08, 0x00} + ipv4(17) + kUdp;
  for (const uint16_t protocol : {0x88a8, 0x8100, 0x0800}) {
    const auto h = parse_packet(tagged, BytesBegin::mac, 14, protocol);
    EXPECT_TRUE(h.ethernet) << protocol;
    EXPECT_EQ(h.ethertype, 0x0800);
    EXPECT_EQ(h.network_offset, 22u);
    EXPECT_EQ(flow_text(h), "10.0.0.1:53 > 10.0.0.2:4242 udp");
  }
}

TEST(PacketHeaders, ReadsIpv6WithExtensions) {
  EXPECT_EQ(flow_text(parse_packet(ipv6(17) + kUdp, BytesBegin::network, 0, 0x86dd)),
            "[fd00::1]:53 > [fd00::2]:4242 udp");
  const Bytes hop{60, 0, 1, 4, 0, 0, 0, 0}, options{6, 0, 1, 4, 0, 0, 0, 0};
  const auto h = parse_packet(ipv6(0) + hop + options + tcp(4), BytesBegin::network, 0, 0x86dd);
  EXPECT_EQ(h.headers_size, 40u + 16 + 20);
  EXPECT_EQ(flow_text(h), "[fd00::1]:80 > [fd00::2]:4242 tcp RST");
  const auto icmp =
      parse_packet(ipv6(58) + Bytes{129, 0, 0, 0, 0, 1, 0, 1} + kPayload, BytesBegin::network, 0, 0x86dd);
  EXPECT_EQ(flow_text(icmp), "fd00::1 > fd00::2 icmpv6 129/0");
  EXPECT_EQ(icmp.headers_size, 48u);
}

/// So many extension headers of eight bytes, the last of which leads to `last`.
Bytes extensions(size_t count, uint8_t last) {
  Bytes all;
  for (size_t i = 0; i < count; ++i)
    all = all + Bytes{static_cast<uint8_t>(i + 1 < count ? 60 : last), 0, 1, 4, 0, 0, 0, 0};
  return all;
}

TEST(PacketHeaders, LooksBehindEveryKindOfExtension) {
  const Bytes long_authentication{17, 4, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const struct {
    uint8_t first;
    Bytes bytes;
  } cases[] = {
      {0, {17, 0, 1, 4, 0, 0, 0, 0}},  {60, {17, 0, 1, 4, 0, 0, 0, 0}},  {43, {17, 0, 4, 0, 0, 0, 0, 0}},
      {44, {17, 0, 0, 0, 0, 0, 0, 1}}, {44, {17, 0, 0, 1, 0, 0, 0, 1}},  // the first of several fragments
      {51, long_authentication},       {135, {17, 0, 1, 4, 0, 0, 0, 0}}, {60, extensions(8, 17)},
  };
  for (const auto& c : cases) {
    const auto h = parse_packet(ipv6(c.first) + c.bytes + kUdp, BytesBegin::network, 0, 0x86dd);
    EXPECT_EQ(flow_text(h), "[fd00::1]:53 > [fd00::2]:4242 udp") << +c.first;
  }
}

TEST(PacketHeaders, AnUnfinishedChainHasNoTransport) {
  const auto whole = ipv6(60) + extensions(2, 17) + kUdp;
  for (size_t size = 40; size < 56; ++size) {
    const auto h = parse_packet(std::span(whole).first(size), BytesBegin::network, 0, 0x86dd);
    EXPECT_EQ(h.ip_version, 6);
    EXPECT_FALSE(h.transport) << size;
  }
  EXPECT_EQ(parse_packet(std::span(whole).first(56), BytesBegin::network, 0, 0x86dd).transport, 17);
  EXPECT_FALSE(parse_packet(ipv6(60) + extensions(9, 17) + kUdp, BytesBegin::network, 0, 0x86dd).transport)
      << "more than the kernel side looks behind";
}

TEST(PacketHeaders, ALaterFragmentHasNoPorts) {
  const auto h = parse_packet(ipv4(17, 0x0010) + kUdp, BytesBegin::network, 0, 0x0800);
  EXPECT_TRUE(h.fragment);
  EXPECT_FALSE(h.source_port);
  EXPECT_EQ(h.headers_size, 20u);
  EXPECT_EQ(flow_text(h), "10.0.0.1 > 10.0.0.2 udp fragment");
  const Bytes later{17, 0, 0x00, 0x10, 0, 0, 0, 1};
  EXPECT_TRUE(parse_packet(ipv6(44) + later + kUdp, BytesBegin::network, 0, 0x86dd).fragment);
  EXPECT_FALSE(parse_packet(ipv4(17, 0x2000) + kUdp, BytesBegin::network, 0, 0x0800).fragment)
      << "more to come";
}

TEST(PacketHeaders, AnIcmpErrorHasThePacketThatItIsAbout) {
  const auto h = parse_packet(ipv4(1) + Bytes{3, 3, 0, 0, 0, 0, 0, 0} + ipv4(17) + kUdp + kPayload,
                              BytesBegin::network, 0, 0x0800);
  EXPECT_EQ(flow_text(h), "10.0.0.1 > 10.0.0.2 icmp 3/3");
  EXPECT_EQ(h.headers_size, 20u + 8 + 28);
}

TEST(PacketHeaders, ShortBytesGiveWhatTheyHave) {
  const Bytes whole = kEther4 + ipv4(6) + tcp(2);
  for (size_t size = 0; size <= whole.size(); ++size) {
    const auto h = parse_packet(std::span(whole).first(size), BytesBegin::mac, 14, 0x0800);
    EXPECT_LE(h.headers_size, size);
    EXPECT_LE(h.network_offset, std::max<size_t>(size, 14));
    EXPECT_EQ(h.source_port.has_value(), size >= 38);
    EXPECT_EQ(h.tcp_flags.has_value(), size >= 48);
  }
  const auto h = parse_packet({}, BytesBegin::nothing, 0, 0);
  EXPECT_EQ(flow_text(h), "");
  EXPECT_EQ(h.headers_size, 0u);
}

TEST(PacketHeaders, NonsenseIsNoIp) {
  EXPECT_EQ(parse_packet(Bytes(40, 0xff), BytesBegin::network, 0, 0x0800).ip_version, 0);
  EXPECT_EQ(parse_packet(Bytes(60, 0x40), BytesBegin::network, 0, 0x0800).ip_version, 0)
      << "a header of 0 words";
  EXPECT_EQ(parse_packet(Bytes(60, 0x45), BytesBegin::network, 500, 0x0800).headers_size, 60u)
      << "offset past the end";
  const auto other = parse_packet(kMacs + Bytes{0x88, 0xcc} + Bytes(50, 1), BytesBegin::mac, 14, 0x88cc);
  EXPECT_TRUE(other.ethernet);
  EXPECT_EQ(other.headers_size, 14u);
}

TEST(TcpFlags, HaveTheirNames) {
  EXPECT_EQ(tcp_flags_text(0), "none");
  EXPECT_EQ(tcp_flags_text(0x02), "SYN");
  EXPECT_EQ(tcp_flags_text(0xff), "FIN,SYN,RST,PSH,ACK,URG,ECE,CWR");
}

}  // namespace
}  // namespace nettoll
