// SPDX-License-Identifier: Apache-2.0
#include "report/pcapng.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace nettoll {
namespace {

using ::testing::HasSubstr;

uint32_t u32(const std::string& bytes, size_t at) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

struct Block {
  uint32_t type = 0;
  std::string body;
};

/// The blocks of a file; fails where their lengths do not agree.
std::vector<Block> blocks_of(const std::string& bytes) {
  std::vector<Block> blocks;
  size_t at = 0;
  while (at + 12 <= bytes.size()) {
    const uint32_t length = u32(bytes, at + 4);
    EXPECT_EQ(length % 4, 0u);
    if (length < 12 || at + length > bytes.size()) break;
    EXPECT_EQ(u32(bytes, at + length - 4), length);
    blocks.push_back({u32(bytes, at), bytes.substr(at + 8, length - 12)});
    at += length;
  }
  EXPECT_EQ(at, bytes.size());
  return blocks;
}

DropSample sample(size_t bytes, bool ethernet, size_t network, size_t headers) {
  DropSample s;
  s.raw.time_ns = 0x123456789abcdef0;
  s.raw.length = 1000;
  s.raw.begin = ethernet ? BytesBegin::mac : BytesBegin::network;
  for (size_t i = 0; i < bytes; ++i) s.raw.bytes.push_back(static_cast<uint8_t>(i));
  s.headers.ethernet = ethernet;
  s.headers.ethertype = 0x86dd;
  s.headers.network_offset = network;
  s.headers.headers_size = headers;
  s.drop = {"NO_SOCKET", "core", "udp_rcv", "vmlinux", "ipv6", "eth0", 4026531840, 1};
  return s;
}

TEST(Pcapng, BeginsWithSectionAndInterface) {
  const auto blocks = blocks_of(PcapngFile("nettoll 1", "Linux 6").bytes());
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].type, 0x0A0D0D0Au);
  EXPECT_EQ(u32(blocks[0].body, 0), 0x1A2B3C4Du);
  EXPECT_THAT(blocks[0].body, HasSubstr("nettoll 1"));
  EXPECT_EQ(blocks[1].type, 1u);
  EXPECT_EQ(u32(blocks[1].body, 0), 1u) << "Ethernet";
}

TEST(Pcapng, HoldsHeadersAlone) {
  PcapngFile file("p", "k");
  ASSERT_TRUE(file.add(sample(128, true, 14, 62)));
  const auto blocks = blocks_of(file.bytes());
  ASSERT_EQ(blocks.size(), 3u);
  const std::string& body = blocks[2].body;
  EXPECT_EQ(blocks[2].type, 6u);
  EXPECT_EQ(u32(body, 4), 0x12345678u);
  EXPECT_EQ(u32(body, 8), 0x9abcdef0u);
  EXPECT_EQ(u32(body, 12), 62u);
  EXPECT_EQ(u32(body, 16), 1000u);
  EXPECT_EQ(body[20], 0);
  EXPECT_EQ(body[20 + 61], 61);
  EXPECT_EQ(body[20 + 62], 0) << "padding, not payload";
  EXPECT_THAT(body, HasSubstr("dropped: NO_SOCKET by udp_rcv, device eth0, netns 4026531840"));
}

TEST(Pcapng, MakesUpALinkHeaderAndSaysSo) {
  PcapngFile file("p", "k");
  ASSERT_TRUE(file.add(sample(60, false, 4, 52)));
  const std::string body = blocks_of(file.bytes()).back().body;
  EXPECT_EQ(u32(body, 12), 14u + 48);
  EXPECT_EQ(u32(body, 16), 1000u - 4 + 14);
  EXPECT_EQ(static_cast<uint8_t>(body[20 + 12]), 0x86);
  EXPECT_EQ(static_cast<uint8_t>(body[20 + 13]), 0xdd);
  EXPECT_EQ(body[20 + 14], 4) << "the network header comes next";
  EXPECT_THAT(body, HasSubstr("Ethernet header made up"));
}

TEST(Pcapng, RefusesWhatHasNoHeaders) {
  PcapngFile file("p", "k");
  const std::string before = file.bytes();
  EXPECT_FALSE(file.add(sample(0, false, 0, 0)));
  EXPECT_FALSE(file.add(sample(20, false, 0, 0)));
  EXPECT_FALSE(file.add(sample(20, false, 0, 21)));
  EXPECT_EQ(file.bytes(), before);
}

}  // namespace
}  // namespace nettoll
