// SPDX-License-Identifier: Apache-2.0
// The drivers of the running kernel.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "host/ethtool_source.h"

namespace nettoll {

/// Asks by SIOCETHTOOL (include/uapi/linux/ethtool.h). Answers are of the network namespace that the thread
/// was in when it called open(). Reading needs no rights.
class LiveEthtool : public EthtoolSource {
 public:
  static Result<LiveEthtool> open();

  Result<std::string> driver(const std::string& device) override;
  Result<Channels> channels(const std::string& device) override;
  Result<RingSizes> rings(const std::string& device) override;
  Result<Indirection> indirection(const std::string& device) override;
  Result<FlowHash> flow_hash(const std::string& device, const std::string& protocol) override;
  Result<Coalescing> coalescing(const std::string& device) override;
  Result<std::map<std::string, bool>> features(const std::string& device) override;
  Result<StatisticsList> statistics(const std::string& device) override;

 private:
  explicit LiveEthtool(UniqueFd socket) : socket_(std::move(socket)) {}

  Status ask(const std::string& device, void* command) const;
  Result<uint32_t> string_count(const std::string& device, uint32_t set) const;
  Result<std::vector<std::string>> strings(const std::string& device, uint32_t set) const;
  Result<Indirection> old_indirection(const std::string& device) const;
  Result<std::map<std::string, bool>> old_features(const std::string& device) const;

  UniqueFd socket_;
};

}  // namespace nettoll
