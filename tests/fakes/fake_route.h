// SPDX-License-Identifier: Apache-2.0
// Netlink that answers what a test sets.
#pragma once

#include <cerrno>
#include <map>
#include <vector>

#include "host/route_source.h"

namespace nettoll {

/// What is not set is empty, and queue statistics are unknown as in older kernels.
class FakeRoute : public RouteSource {
 public:
  Result<std::vector<RouteLink>> link_answer = std::vector<RouteLink>{};
  Result<std::map<uint32_t, std::vector<Qdisc>>> qdisc_answer = std::map<uint32_t, std::vector<Qdisc>>{};
  Result<std::map<uint32_t, QueueStatistics>> queue_answer = system_error("refused", ENOENT);

  Result<std::vector<RouteLink>> links() override { return link_answer; }
  Result<std::map<uint32_t, std::vector<Qdisc>>> qdiscs() override { return qdisc_answer; }
  Result<std::map<uint32_t, QueueStatistics>> queue_statistics() override { return queue_answer; }
};

}  // namespace nettoll
