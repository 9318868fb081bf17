// SPDX-License-Identifier: Apache-2.0
#include "host/route_messages.h"

#include <gtest/gtest.h>
#include <linux/gen_stats.h>
#include <linux/if_link.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "message_builder.h"

namespace nettoll {
namespace {

using namespace std::string_view_literals;

MessageBuilder link_head(int ifindex) {
  ifinfomsg head{};
  head.ifi_index = ifindex;
  return MessageBuilder().raw(head);
}

TEST(RouteMessages, Xdp) {
  const struct {
    std::optional<uint8_t> attached;
    uint16_t program;  // 0: none is named
    std::optional<std::string> xdp;
  } cases[] = {
      {std::nullopt, 0, std::nullopt},
      {XDP_ATTACHED_NONE, 0, std::nullopt},
      {XDP_ATTACHED_DRV, IFLA_XDP_PROG_ID, "native"},
      {XDP_ATTACHED_SKB, IFLA_XDP_PROG_ID, "generic"},
      {XDP_ATTACHED_HW, IFLA_XDP_PROG_ID, "offload"},
      {XDP_ATTACHED_MULTI, IFLA_XDP_DRV_PROG_ID, "native"},
      {XDP_ATTACHED_MULTI, IFLA_XDP_SKB_PROG_ID, "generic"},
      {XDP_ATTACHED_MULTI, IFLA_XDP_HW_PROG_ID, "offload"},
      {99, 0, std::nullopt},
  };
  for (const auto& c : cases) {
    MessageBuilder message = link_head(7);
    message.text(IFLA_IFNAME, "eth0\0"sv);
    if (c.attached) {
      MessageBuilder xdp;
      xdp.attribute(IFLA_XDP_ATTACHED, *c.attached);
      if (c.program) xdp.attribute(c.program, uint32_t{12});
      message.nested(IFLA_XDP, xdp);
    }
    const auto link = parse_link(message.bytes());
    ASSERT_TRUE(link);
    EXPECT_EQ(link->ifindex, 7u);
    EXPECT_EQ(link->name, "eth0");
    EXPECT_EQ(link->xdp, c.xdp) << static_cast<int>(c.attached.value_or(0));
  }
}

MessageBuilder qdisc_head(uint32_t handle, uint32_t parent) {
  tcmsg head{};
  head.tcm_ifindex = 3;
  head.tcm_handle = handle;
  head.tcm_parent = parent;
  return MessageBuilder().raw(head);
}

TEST(RouteMessages, QdiscWithStatistics) {
  gnet_stats_queue queue{};
  queue.qlen = 17;
  queue.drops = 5;
  queue.overlimits = 6;
  gnet_stats_basic basic{};
  basic.bytes = 1000;
  basic.packets = 10;
  for (const bool wide : {false, true}) {
    MessageBuilder stats;
    stats.attribute(TCA_STATS_BASIC, basic).attribute(TCA_STATS_QUEUE, queue);
    if (wide) stats.attribute(8, uint64_t{4294967306});
    const auto row = parse_qdisc(
        qdisc_head(0x80010000, TC_H_ROOT).text(TCA_KIND, "fq_codel\0"sv).nested(TCA_STATS2, stats).bytes());
    ASSERT_TRUE(row);
    EXPECT_EQ(row->ifindex, 3u);
    EXPECT_EQ(row->qdisc, (Qdisc{"fq_codel", "8001:", "root", wide ? 4294967306u : 10u, 5, 6, 17}));
  }
}

TEST(RouteMessages, QdiscWithoutStatistics) {
  const auto row = parse_qdisc(qdisc_head(0, 0x80010001).text(TCA_KIND, "pfifo").bytes());
  ASSERT_TRUE(row);
  EXPECT_EQ(row->qdisc, (Qdisc{"pfifo", "0:", "8001:1", 0, 0, 0, 0}));
}

TEST(RouteMessages, HandlesAsTcPrintsThem) {
  EXPECT_EQ(format_handle(0), "0:");
  EXPECT_EQ(format_handle(0xffff0000), "ffff:");
  EXPECT_EQ(format_parent(TC_H_ROOT), "root");
  EXPECT_EQ(format_parent(TC_H_UNSPEC), "none");
  EXPECT_EQ(format_parent(TC_H_INGRESS), "ffff:fff1");
  EXPECT_EQ(format_parent(0x00000001), ":1");
  EXPECT_EQ(format_parent(0x0001000a), "1:a");
  EXPECT_EQ(format_parent(0x00010000), "1:");
}

// However it is cut, nothing is read beyond it; sanitizers see to that.
TEST(RouteMessages, CutMessages) {
  MessageBuilder stats;
  stats.attribute(TCA_STATS_QUEUE, gnet_stats_queue{}).attribute(TCA_STATS_BASIC, gnet_stats_basic{});
  const MessageBuilder qdisc = qdisc_head(1, 2).text(TCA_KIND, "fq").nested(TCA_STATS2, stats);
  for (size_t size = 0; size < qdisc.bytes().size(); ++size) {
    const std::vector<std::byte> cut(qdisc.bytes().begin(),
                                     qdisc.bytes().begin() + static_cast<ptrdiff_t>(size));
    EXPECT_EQ(parse_qdisc(cut).has_value(), size >= sizeof(tcmsg));
  }
  const MessageBuilder link =
      link_head(1)
          .text(IFLA_IFNAME, "eth0")
          .nested(IFLA_XDP, MessageBuilder().attribute(IFLA_XDP_ATTACHED, uint8_t{1}));
  for (size_t size = 0; size < link.bytes().size(); ++size) {
    const std::vector<std::byte> cut(link.bytes().begin(),
                                     link.bytes().begin() + static_cast<ptrdiff_t>(size));
    EXPECT_EQ(parse_link(cut).has_value(), size >= sizeof(ifinfomsg));
  }
  // A length of 0 must not be walked for ever.
  EXPECT_EQ(parse_link(link_head(1).raw(nlattr{0, IFLA_IFNAME}).bytes())->name, "");
}

}  // namespace
}  // namespace nettoll
