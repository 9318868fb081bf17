// SPDX-License-Identifier: Apache-2.0
// What netlink tells of the devices of a namespace.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "host/queue_statistics.h"
#include "model/host_state.h"

namespace nettoll {

/// Of RTM_GETLINK.
struct RouteLink {
  uint32_t ifindex = 0;
  std::string name;
  std::optional<std::string> xdp;  ///< as Nic::xdp
  bool operator==(const RouteLink&) const = default;
};

class RouteSource {
 public:
  virtual ~RouteSource() = default;

  virtual Result<std::vector<RouteLink>> links() = 0;
  /// By ifindex, in the kernel's order.
  virtual Result<std::map<uint32_t, std::vector<Qdisc>>> qdiscs() = 0;
  /// Counters of single queues by ifindex, of those drivers that hand them to the kernel. The code is ENOENT
  /// or EOPNOTSUPP where the kernel does not collect them.
  virtual Result<std::map<uint32_t, QueueStatistics>> queue_statistics() = 0;
};

}  // namespace nettoll
