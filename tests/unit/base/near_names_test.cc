// SPDX-License-Identifier: Apache-2.0
#include "base/near_names.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

using Names = std::vector<std::string>;

TEST(NearNames, AreThoseOfFewEdits) {
  const Names known{"NO_SOCKET", "SOCKET_FILTER", "UDP_CSUM", "TCP_CSUM", "XDP"};
  EXPECT_EQ(near_names("NO_SOKET", known), (Names{"NO_SOCKET"}));
  EXPECT_EQ(near_names("no_socket", known), (Names{"NO_SOCKET"}));
  EXPECT_EQ(near_names("UDP_CSUN", known).front(), "UDP_CSUM");
  EXPECT_EQ(near_names("SOCKET", known), (Names{"NO_SOCKET", "SOCKET_FILTER"})) << "names that hold it whole";
  EXPECT_TRUE(near_names("something_else_altogether", known).empty());
  EXPECT_TRUE(near_names("x", {}).empty());
}

TEST(NearNames, LetShortNamesDifferLess) {
  EXPECT_TRUE(near_names("sctp", {"tcp", "icmp", "udp"}).empty());
  EXPECT_TRUE(near_names("v0", {"lo"}).empty());
  EXPECT_EQ(near_names("tpc", {"tcp", "icmp"}), Names{"tcp"}) << "neighbours that changed places";
  EXPECT_EQ(near_names("eht0", {"eth0", "lo"}), Names{"eth0"});
  EXPECT_EQ(near_names("udp6", {"udp", "ip6"}), Names{"udp"});
}

TEST(NearNames, ShareALetter) {
  EXPECT_TRUE(near_names("", {"lo", "ip"}).empty());
  EXPECT_TRUE(near_names("0x", {"lo", "ip"}).empty());
  EXPECT_EQ(near_names("l", {"lo", "ip"}), (Names{"lo"}));
}

TEST(NearNames, AreFiveAtMost) {
  EXPECT_EQ(near_names("eth", Names{"eth0", "eth1", "eth2", "eth3", "eth4", "eth5"}).size(), 5u);
}

TEST(NearNames, MakeAHint) {
  EXPECT_EQ(did_you_mean("et0", {"eth0"}, "see ip link"), "did you mean eth0?");
  EXPECT_EQ(did_you_mean("nothing_like_it", {"eth0"}, "see ip link"), "see ip link");
}

}  // namespace
}  // namespace nettoll
