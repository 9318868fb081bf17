// SPDX-License-Identifier: Apache-2.0
#include "diagnose/drop_place.h"

#include <gtest/gtest.h>

#include "model/function.h"

namespace nettoll {
namespace {

Drops drop(const char* reason, const char* function, const char* protocol = "ipv4",
           const char* subsystem = "core") {
  return {reason, subsystem, function, kVmlinux, protocol, "eth0", 0, 1};
}

TEST(DropPlace, ByReasonThenByPlace) {
  const struct {
    Drops drop;
    DropPlace place;
  } cases[] = {
      {drop("SOCKET_RCVBUFF", "__udp_enqueue_schedule_skb"), {DropLayer::socket, false}},
      {drop("CPU_BACKLOG", "enqueue_to_backlog"), {DropLayer::backlog, false}},
      {drop("QDISC_DROP", "kfree_skb_list_reason"), {DropLayer::qdisc, false}},
      {drop("FQ_HORIZON_LIMIT", "fq_enqueue"), {DropLayer::qdisc, false}},
      {drop("QDISC_OVERLIMIT", "sk_skb_reason_drop"), {DropLayer::qdisc, false}},
      {drop("XDP", "do_xdp_generic"), {DropLayer::xdp, true}},
      {drop("NETFILTER_DROP", "nf_hook_slow"), {DropLayer::stack, true}},
      {drop("NO_SOCKET", "udp_unicast_rcv_skb"), {DropLayer::stack, true}},
      {drop("TCP_CSUM", "tcp_v4_rcv"), {DropLayer::stack, false}},
      {drop("unknown_999", "f"), {DropLayer::stack, false}},
      {drop("OTHERHOST", "ip_rcv_core"), {DropLayer::stack, false}},
      // transmit completion
      {drop("NOT_SPECIFIED", "dev_kfree_skb_any_reason"), {DropLayer::transmit, false}},
      {drop("NOT_SPECIFIED", "__dev_kfree_skb_any"), {DropLayer::transmit, false}},
      {drop("unclassified", "net_tx_action"), {DropLayer::transmit, false}},
      {drop("TCP_CSUM", "dev_kfree_skb_any_reason"), {DropLayer::stack, false}},
      {drop("NOT_SPECIFIED", "ip_rcv"), {DropLayer::stack, false}},
      // another subsystem's reason of the same name
      {drop("XDP", "f", "ipv4", "openvswitch"), {DropLayer::stack, false}},
  };
  for (const auto& c : cases) EXPECT_EQ(place_of(c.drop), c.place) << c.drop.reason << ' ' << c.drop.function;
}

}  // namespace
}  // namespace nettoll
