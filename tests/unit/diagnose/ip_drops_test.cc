// SPDX-License-Identifier: Apache-2.0
#include "diagnose/ip_drops.h"

#include <gtest/gtest.h>

#include "unit/diagnose/diagnosed.h"

namespace nettoll {
namespace {

TEST(IpDrops, ThatNoCounterHas) {
  const struct {
    Drops drop;
    bool uncounted, after_forwarding;
  } cases[] = {
      {drop("NETFILTER_DROP", "nf_hook_slow", 1), true, true},
      {drop("NETFILTER_DROP", "nft_do_chain", 1), true, true},
      {drop("unclassified", "nf_hook_slow", 1), true, true},
      // The output hook: this host's own packet.
      {drop("NETFILTER_DROP", "nf_hook_slow", 1, ""), false, true},
      {drop("IP_LOCALNET", "ip_rcv_finish_core", 1), true, false},
      {drop("NOT_SPECIFIED", "ip_rcv_finish_core", 1), true, false},
      {drop("NOT_SPECIFIED", "ip_rcv_finish", 1), true, false},
      {drop("IP_RPFILTER", "ip_rcv_finish_core", 1), false, false},
      {drop("IP_INHDR", "ip_rcv_finish_core", 1), false, false},
      {drop("PKT_TOO_BIG", "ip_forward", 1), true, true},
      {drop("PKT_TOO_BIG", "ip6_forward", 1), false, false},
      {drop("IP_INHDR", "ip_forward", 1), false, false},
      {drop("IP_CSUM", "ip_rcv_core", 1), false, false},
      {drop("NO_SOCKET", "__udp4_lib_rcv", 1), false, false},
      {drop("NETFILTER_DROP", "nf_hook_slow", 1, "eth0", "ipv6"), false, true},
      {drop("NETFILTER_DROP", "nf_hook_slow", 1, "eth0", "arp"), false, true},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(is_uncounted_ip_drop(c.drop, "ipv4"), c.uncounted) << c.drop.reason << ' ' << c.drop.function;
    EXPECT_EQ(may_follow_forwarding(c.drop), c.after_forwarding) << c.drop.reason << ' ' << c.drop.function;
  }
  EXPECT_TRUE(is_uncounted_ip_drop(drop("NETFILTER_DROP", "nf_hook_slow", 1, "eth0", "ipv6"), "ipv6"));
  EXPECT_TRUE(is_uncounted_ip_drop(drop("NOT_SPECIFIED", "ip6_mc_input", 1, "eth0", "ipv6"), "ipv6"));
  EXPECT_FALSE(is_uncounted_ip_drop(drop("NOT_SPECIFIED", "ip6_pkt_discard", 1, "eth0", "ipv6"), "ipv6"));
}

}  // namespace
}  // namespace nettoll
