// SPDX-License-Identifier: Apache-2.0
#include "host/live_route.h"

#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "host/route_messages.h"

namespace nettoll {
namespace {

/// How often a dump is asked for anew that changed while it was read.
constexpr int kTries = 5;

}  // namespace

Result<LiveRoute> LiveRoute::open() {
  auto socket = NetlinkSocket::open(NETLINK_ROUTE);
  if (!socket) return socket.error();
  return LiveRoute(std::move(*socket));
}

Result<std::vector<RouteLink>> LiveRoute::links() {
  // Without the counters, which nobody reads here.
  const struct {
    ifinfomsg head;
    rtattr attribute;
    uint32_t mask;
  } request{{}, {sizeof(rtattr) + sizeof(uint32_t), IFLA_EXT_MASK}, RTEXT_FILTER_SKIP_STATS};
  for (int tries = 1;; ++tries) {
    std::vector<RouteLink> links;
    Status parsed;
    const auto ok = socket_.dump(RTM_GETLINK, std::as_bytes(std::span(&request, 1)),
                                 [&](uint16_t type, std::span<const std::byte> payload) {
                                   if (type != RTM_NEWLINK) return;
                                   if (auto link = parse_link(payload)) {
                                     links.push_back(std::move(*link));
                                   } else {
                                     parsed = link.error();
                                   }
                                 });
    if (!ok && ok.error().code == EAGAIN && tries < kTries) continue;
    if (!ok) return ok.error();
    if (!parsed) return parsed.error();
    return links;
  }
}

Result<std::map<uint32_t, std::vector<Qdisc>>> LiveRoute::qdiscs() {
  const tcmsg request{};
  for (int tries = 1;; ++tries) {
    std::map<uint32_t, std::vector<Qdisc>> qdiscs;
    Status parsed;
    const auto ok = socket_.dump(RTM_GETQDISC, std::as_bytes(std::span(&request, 1)),
                                 [&](uint16_t type, std::span<const std::byte> payload) {
                                   if (type != RTM_NEWQDISC) return;
                                   if (auto row = parse_qdisc(payload)) {
                                     qdiscs[row->ifindex].push_back(std::move(row->qdisc));
                                   } else {
                                     parsed = row.error();
                                   }
                                 });
    if (!ok && ok.error().code == EAGAIN && tries < kTries) continue;
    if (!ok) return ok.error();
    if (!parsed) return parsed.error();
    return qdiscs;
  }
}

}  // namespace nettoll
