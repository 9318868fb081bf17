// SPDX-License-Identifier: Apache-2.0
#include "host/route_messages.h"

#include <linux/gen_stats.h>
#include <linux/if_link.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include <algorithm>

#include "host/netlink_attributes.h"

namespace nettoll {
namespace {

std::span<const std::byte> behind(std::span<const std::byte> message, size_t head) {
  return message.subspan(std::min(message.size(), size_t{NLMSG_ALIGN(head)}));
}

/// IFLA_XDP (rtnl_xdp_fill in net/core/rtnetlink.c). With several programs one is the NIC's and the other the
/// host's; the host's counts here.
std::optional<std::string> xdp_mode(const Attributes& xdp) {
  switch (xdp.number<uint8_t>(IFLA_XDP_ATTACHED).value_or(XDP_ATTACHED_NONE)) {
    case XDP_ATTACHED_DRV:
      return "native";
    case XDP_ATTACHED_SKB:
      return "generic";
    case XDP_ATTACHED_HW:
      return "offload";
    case XDP_ATTACHED_MULTI:
      if (xdp.find(IFLA_XDP_DRV_PROG_ID)) return "native";
      return xdp.find(IFLA_XDP_SKB_PROG_ID) ? "generic" : "offload";
    default:
      return std::nullopt;
  }
}

/// gnet_stats_copy_basic and gnet_stats_copy_queue in net/core/gen_stats.c.
void read_stats(const Attributes& stats, Qdisc& qdisc) {
  if (const auto basic = stats.find(TCA_STATS_BASIC))
    qdisc.packets = read_as<gnet_stats_basic>(*basic).packets;
  // Where the 32 bits of the above are too few.
  constexpr uint16_t kPackets64 = 8;  // TCA_STATS_PKT64
  if (const auto packets = stats.number<uint64_t>(kPackets64)) qdisc.packets = *packets;
  if (const auto bytes = stats.find(TCA_STATS_QUEUE)) {
    const auto queue = read_as<gnet_stats_queue>(*bytes);
    qdisc.drops = queue.drops;
    qdisc.overlimits = queue.overlimits;
    qdisc.backlog_packets = queue.qlen;
  }
}

}  // namespace

Result<RouteLink> parse_link(std::span<const std::byte> message) {
  if (message.size() < sizeof(ifinfomsg)) return failure("a message about a device is too short");
  const Attributes attributes(behind(message, sizeof(ifinfomsg)));
  RouteLink link;
  link.ifindex = static_cast<uint32_t>(read_as<ifinfomsg>(message).ifi_index);
  link.name = attributes.text(IFLA_IFNAME).value_or("");
  if (const auto xdp = attributes.find(IFLA_XDP)) link.xdp = xdp_mode(Attributes(*xdp));
  return link;
}

Result<QdiscOf> parse_qdisc(std::span<const std::byte> message) {
  if (message.size() < sizeof(tcmsg)) return failure("a message about a qdisc is too short");
  const auto head = read_as<tcmsg>(message);
  const Attributes attributes(behind(message, sizeof(tcmsg)));
  QdiscOf row;
  row.ifindex = static_cast<uint32_t>(head.tcm_ifindex);
  row.qdisc.kind = attributes.text(TCA_KIND).value_or("");
  row.qdisc.handle = format_handle(head.tcm_handle);
  row.qdisc.parent = format_parent(head.tcm_parent);
  if (const auto stats = attributes.find(TCA_STATS2)) read_stats(Attributes(*stats), row.qdisc);
  return row;
}

std::string format_handle(uint32_t handle) {
  return fmt::format("{:x}:", handle >> 16);
}

std::string format_parent(uint32_t parent) {
  if (parent == TC_H_ROOT) return "root";
  if (parent == TC_H_UNSPEC) return "none";
  const uint32_t major = parent >> 16, minor = parent & 0xffff;
  if (major == 0) return fmt::format(":{:x}", minor);
  return minor == 0 ? fmt::format("{:x}:", major) : fmt::format("{:x}:{:x}", major, minor);
}

}  // namespace nettoll
