// SPDX-License-Identifier: Apache-2.0
// What drivers answer about their devices.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/host_state.h"

namespace nettoll {

/// Statistics in the driver's order; names may repeat, and may have blanks at both ends.
using StatisticsList = std::vector<std::pair<std::string, uint64_t>>;

/// Asks the driver of a device, named as the system names it. An error's code is the errno.
class EthtoolSource {
 public:
  virtual ~EthtoolSource() = default;

  virtual Result<std::string> driver(const std::string& device) = 0;
  virtual Result<Channels> channels(const std::string& device) = 0;
  virtual Result<RingSizes> rings(const std::string& device) = 0;
  virtual Result<Indirection> indirection(const std::string& device) = 0;
  /// `protocol` is one of kFlowProtocols.
  virtual Result<FlowHash> flow_hash(const std::string& device, const std::string& protocol) = 0;
  virtual Result<Coalescing> coalescing(const std::string& device) = 0;
  virtual Result<std::map<std::string, bool>> features(const std::string& device) = 0;
  virtual Result<StatisticsList> statistics(const std::string& device) = 0;
};

inline constexpr const char* kFlowProtocols[] = {"tcp4", "udp4", "tcp6", "udp6"};

}  // namespace nettoll
