// SPDX-License-Identifier: Apache-2.0
// The devices of the running kernel by netlink(7).
#pragma once

#include "host/netlink_socket.h"
#include "host/route_source.h"

namespace nettoll {

/// Answers are of the network namespace that the thread was in when it called open(). Reading needs no
/// rights.
class LiveRoute : public RouteSource {
 public:
  static Result<LiveRoute> open();

  Result<std::vector<RouteLink>> links() override;
  Result<std::map<uint32_t, std::vector<Qdisc>>> qdiscs() override;
  Result<std::map<uint32_t, QueueStatistics>> queue_statistics() override;

 private:
  LiveRoute(NetlinkSocket route, NetlinkSocket generic)
      : route_(std::move(route)), generic_(std::move(generic)) {}

  NetlinkSocket route_;
  NetlinkSocket generic_;
};

}  // namespace nettoll
