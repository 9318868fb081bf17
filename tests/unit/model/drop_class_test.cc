// SPDX-License-Identifier: Apache-2.0
#include "model/drop_class.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

Drops drop(const char* reason, const char* function, const char* protocol, const char* device = "",
           const char* helper = "", bool transmitting = false) {
  Drops row;
  row.reason = reason;
  row.subsystem = "core";
  row.function = function;
  row.protocol = protocol;
  row.device = device;
  row.packets = 1;
  row.helper = helper;
  row.transmitting = transmitting;
  return row;
}

TEST(DropClass, TellsNoiseFromLoss) {
  const struct {
    Drops row;
    DropClass expected;
  } cases[] = {
      {drop("NO_SOCKET", "__udp4_lib_rcv", "ipv4", "eth0"), DropClass::loss},
      // Connections of AF_UNIX on a host that loses nothing.
      {drop("NOT_SPECIFIED", "unix_stream_connect", "none"), DropClass::local_socket},
      {drop("SOCKET_CLOSE", "unix_release_sock", "none"), DropClass::local_socket},
      {drop("NOT_SPECIFIED", "unix_stream_connect", "ipv4"), DropClass::loss},
      {drop("NOT_SPECIFIED", "unix_stream_connect", "none", "eth0"), DropClass::loss},
      {drop("UNIX_DISCONNECT", "sk_skb_reason_drop", "none"), DropClass::local_socket},
      // A netlink message that its listener was too slow for is no packet of a network.
      {drop("NOT_SPECIFIED", "netlink_broadcast_filtered", "none"), DropClass::local_socket},
      {drop("NOT_SPECIFIED", "tcp_v4_rcv", "none"), DropClass::loss},
      // One per sent packet, from a driver's transmit completion.
      {drop("NOT_SPECIFIED", "vmxnet3_tq_tx_complete", "ipv4", "eth0", "dev_kfree_skb_any_reason"),
       DropClass::tx_completion},
      {drop("NOT_SPECIFIED", "mlx5e_poll_tx_cq", "ipv6", "eth0", "__dev_kfree_skb_any"),
       DropClass::tx_completion},
      {drop("unclassified", "tx_clean", "arp", "eth0", "__dev_kfree_skb_any"), DropClass::tx_completion},
      {drop("NOT_SPECIFIED", "dev_kfree_skb_irq_reason", "ipv4", "eth0"), DropClass::tx_completion},
      {drop("TCP_CSUM", "dev_kfree_skb_any_reason", "ipv4", "eth0"), DropClass::loss},
      {drop("NOT_SPECIFIED", "dev_kfree_skb_any_reason", "ipv4", "eth0"), DropClass::tx_completion},
      {drop("NOT_SPECIFIED", "net_tx_action", "ipv4", "eth0"), DropClass::tx_completion},
      // A driver that could not send is loss, and so is one that could not receive.
      {drop("NOT_SPECIFIED", "vmxnet3_xmit_frame", "ipv4", "eth0", "dev_kfree_skb_any_reason", true),
       DropClass::loss},
      {drop("NOT_SPECIFIED", "vmxnet3_rx_error", "none", "eth0", "dev_kfree_skb_any_reason"),
       DropClass::loss},
      {drop("QDISC_DROP", "net_tx_action", "ipv4", "eth0"), DropClass::loss},
      {drop("NOT_SPECIFIED", "sch_direct_xmit", "ipv4", "eth0", "kfree_skb_list_reason"), DropClass::loss},
      {drop("CONSUMED", "f", "ipv4", "eth0"), DropClass::consumed},
      {drop("NOT_DROPPED_YET", "f", "ipv4", "eth0"), DropClass::consumed},
      {drop("OTHERHOST", "ip_rcv_core", "ipv4", "eth0"), DropClass::other_host},
  };
  for (const auto& c : cases)
    EXPECT_EQ(classify(c.row), c.expected) << c.row.reason << " " << c.row.function << " " << c.row.helper;
}

TEST(DropClass, AnotherSubsystemsReasonIsItsOwn) {
  Drops row = drop("OTHERHOST", "f", "ipv4", "eth0");
  row.subsystem = "openvswitch";
  EXPECT_EQ(classify(row), DropClass::loss);
}

TEST(ReasonText, NamesTheSubsystem) {
  EXPECT_EQ(reason_text("NO_SOCKET", "core"), "NO_SOCKET");
  EXPECT_EQ(reason_text("unclassified", ""), "unclassified");
  EXPECT_EQ(reason_text("TTL", "openvswitch"), "openvswitch:TTL");
}

TEST(DropClass, HasNamesAndMeanings) {
  EXPECT_STREQ(name_of(DropClass::loss), "loss");
  EXPECT_STREQ(meaning_of(DropClass::loss), "");
  for (const DropClass noise : kNoiseClasses) {
    EXPECT_STRNE(name_of(noise), "");
    EXPECT_STRNE(meaning_of(noise), "");
  }
}

}  // namespace
}  // namespace nettoll
