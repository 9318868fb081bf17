// SPDX-License-Identifier: Apache-2.0
#include "host/live_route.h"

#include <linux/genetlink.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "host/qstats_messages.h"
#include "host/route_messages.h"

namespace nettoll {
namespace {

/// A dump whose messages `add` puts into a `Rows`; asked for anew where it changed while it was read.
template <typename Rows, typename Add>
Result<Rows> dump(NetlinkSocket& socket, uint16_t type, std::span<const std::byte> request, uint16_t answers,
                  Add add) {
  constexpr int kTries = 5;
  for (int tries = 1;; ++tries) {
    Rows rows;
    Status added;
    const auto ok = socket.dump(type, request, [&](uint16_t answer, std::span<const std::byte> payload) {
      if (answer != answers) return;
      if (auto status = add(payload, rows); !status) added = std::move(status);
    });
    if (!ok && ok.error().code == EAGAIN && tries < kTries) continue;
    if (!ok) return ok.error();
    if (!added) return added.error();
    return rows;
  }
}

}  // namespace

Result<LiveRoute> LiveRoute::open() {
  auto route = NetlinkSocket::open(NETLINK_ROUTE);
  if (!route) return route.error();
  auto generic = NetlinkSocket::open(NETLINK_GENERIC);
  if (!generic) return generic.error();
  return LiveRoute(std::move(*route), std::move(*generic));
}

Result<std::vector<RouteLink>> LiveRoute::links() {
  // Without the counters, which nobody reads here.
  const struct {
    ifinfomsg head;
    rtattr attribute;
    uint32_t mask;
  } request{{}, {sizeof(rtattr) + sizeof(uint32_t), IFLA_EXT_MASK}, RTEXT_FILTER_SKIP_STATS};
  using Links = std::vector<RouteLink>;
  return dump<Links>(route_, RTM_GETLINK, std::as_bytes(std::span(&request, 1)), RTM_NEWLINK,
                     [](std::span<const std::byte> message, Links& links) -> Status {
                       auto link = parse_link(message);
                       if (!link) return link.error();
                       links.push_back(std::move(*link));
                       return {};
                     });
}

Result<std::map<uint32_t, std::vector<Qdisc>>> LiveRoute::qdiscs() {
  const tcmsg request{};
  using Qdiscs = std::map<uint32_t, std::vector<Qdisc>>;
  return dump<Qdiscs>(route_, RTM_GETQDISC, std::as_bytes(std::span(&request, 1)), RTM_NEWQDISC,
                      [](std::span<const std::byte> message, Qdiscs& qdiscs) -> Status {
                        auto row = parse_qdisc(message);
                        if (!row) return row.error();
                        qdiscs[row->ifindex].push_back(std::move(row->qdisc));
                        return {};
                      });
}

Result<std::map<uint32_t, QueueStatistics>> LiveRoute::queue_statistics() {
  std::optional<uint16_t> family;
  const auto take = [&](uint16_t, std::span<const std::byte> message) { family = parse_family(message); };
  if (auto ok = generic_.ask(GENL_ID_CTRL, family_request(), take); !ok) return ok.error();
  if (!family) return failure("the kernel does not tell the number of a generic netlink family");
  using Devices = std::map<uint32_t, QueueStatistics>;
  return dump<Devices>(
      generic_, *family, qstats_request(), *family,
      [](std::span<const std::byte> message, Devices& devices) { return add_qstats(message, devices); });
}

}  // namespace nettoll
