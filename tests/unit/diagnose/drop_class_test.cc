// SPDX-License-Identifier: Apache-2.0
#include "diagnose/drop_class.h"

#include <gtest/gtest.h>

#include "model/function.h"

namespace nettoll {
namespace {

Drops drop(const char* reason, const char* function, const char* protocol = "ipv4",
           const char* subsystem = "core") {
  return {reason, subsystem, function, kVmlinux, protocol, "eth0", 0, 1};
}

TEST(DropClass, ByReasonThenByPlace) {
  const struct {
    Drops drop;
    DropClass what;
  } cases[] = {
      {drop("SOCKET_RCVBUFF", "__udp_enqueue_schedule_skb"), {DropLayer::socket, false, false}},
      {drop("CPU_BACKLOG", "enqueue_to_backlog"), {DropLayer::backlog, false, false}},
      {drop("QDISC_DROP", "kfree_skb_list_reason"), {DropLayer::qdisc, false, false}},
      {drop("FQ_HORIZON_LIMIT", "fq_enqueue"), {DropLayer::qdisc, false, false}},
      {drop("QDISC_OVERLIMIT", "sk_skb_reason_drop"), {DropLayer::qdisc, false, false}},
      {drop("XDP", "do_xdp_generic"), {DropLayer::xdp, false, true}},
      {drop("NETFILTER_DROP", "nf_hook_slow"), {DropLayer::stack, false, true}},
      {drop("NO_SOCKET", "udp_unicast_rcv_skb"), {DropLayer::stack, false, true}},
      {drop("TCP_CSUM", "tcp_v4_rcv"), {DropLayer::stack, false, false}},
      {drop("unknown_999", "f"), {DropLayer::stack, false, false}},
      {drop("OTHERHOST", "ip_rcv_core"), {DropLayer::stack, true, false}},
      // AF_UNIX and netlink
      {drop("NOT_SPECIFIED", "unix_stream_connect", "none"), {DropLayer::stack, true, false}},
      {drop("UNIX_DISCONNECT", "sk_skb_reason_drop", "none"), {DropLayer::stack, true, false}},
      {drop("NOT_SPECIFIED", "netlink_unicast", "none"), {DropLayer::stack, true, false}},
      {drop("NOT_SPECIFIED", "tcp_v4_rcv", "none"), {DropLayer::stack, false, false}},
      // transmit completion
      {drop("NOT_SPECIFIED", "dev_kfree_skb_any_reason"), {DropLayer::transmit, true, false}},
      {drop("NOT_SPECIFIED", "__dev_kfree_skb_any.part.0"), {DropLayer::transmit, true, false}},
      {drop("unclassified", "net_tx_action"), {DropLayer::transmit, true, false}},
      {drop("TCP_CSUM", "dev_kfree_skb_any_reason"), {DropLayer::stack, false, false}},
      {drop("NOT_SPECIFIED", "ip_rcv"), {DropLayer::stack, false, false}},
      // another subsystem's reason of the same name
      {drop("XDP", "f", "ipv4", "openvswitch"), {DropLayer::stack, false, false}},
  };
  for (const auto& c : cases) EXPECT_EQ(class_of(c.drop), c.what) << c.drop.reason << ' ' << c.drop.function;
}

TEST(FreeHelper, SaysNothingOfWhoDropped) {
  EXPECT_TRUE(is_free_helper("kfree_skb_list_reason"));
  EXPECT_TRUE(is_free_helper("sk_skb_reason_drop"));
  EXPECT_FALSE(is_free_helper("tcp_v4_rcv"));
  EXPECT_FALSE(is_free_helper(""));
}

TEST(ReasonOf, NamesTheSubsystem) {
  EXPECT_EQ(reason_of(drop("NO_SOCKET", "f")), "NO_SOCKET");
  EXPECT_EQ(reason_of(drop("unclassified", "f", "ipv4", "")), "unclassified");
  EXPECT_EQ(reason_of(drop("TTL", "f", "ipv4", "openvswitch")), "openvswitch:TTL");
}

}  // namespace
}  // namespace nettoll
