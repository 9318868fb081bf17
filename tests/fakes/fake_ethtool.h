// SPDX-License-Identifier: Apache-2.0
// Drivers that answer what a test sets.
#pragma once

#include <cerrno>
#include <map>
#include <string>

#include "host/ethtool_source.h"

namespace nettoll {

/// The answers of one device. What is not set is refused as drivers do: "Operation not supported".
struct FakeDriver {
  static Error refusal(int code = EOPNOTSUPP) { return system_error("refused", code); }

  Result<std::string> driver = refusal();
  Result<Channels> channels = refusal();
  Result<RingSizes> rings = refusal();
  Result<Indirection> indirection = refusal();
  std::map<std::string, Result<FlowHash>> flow_hash;
  Result<Coalescing> coalescing = refusal();
  Result<std::map<std::string, bool>> features = refusal();
  Result<StatisticsList> statistics = refusal();
};

/// By name; any other device is "No such device".
class FakeEthtool : public EthtoolSource {
 public:
  std::map<std::string, FakeDriver> devices;

  Result<std::string> driver(const std::string& device) override { return get(device, &FakeDriver::driver); }
  Result<Channels> channels(const std::string& device) override { return get(device, &FakeDriver::channels); }
  Result<RingSizes> rings(const std::string& device) override { return get(device, &FakeDriver::rings); }
  Result<Indirection> indirection(const std::string& device) override {
    return get(device, &FakeDriver::indirection);
  }
  Result<FlowHash> flow_hash(const std::string& device, const std::string& protocol) override {
    const auto found = devices.find(device);
    if (found == devices.end()) return FakeDriver::refusal(ENODEV);
    const auto hash = found->second.flow_hash.find(protocol);
    return hash == found->second.flow_hash.end() ? Result<FlowHash>(FakeDriver::refusal()) : hash->second;
  }
  Result<Coalescing> coalescing(const std::string& device) override {
    return get(device, &FakeDriver::coalescing);
  }
  Result<std::map<std::string, bool>> features(const std::string& device) override {
    return get(device, &FakeDriver::features);
  }
  Result<StatisticsList> statistics(const std::string& device) override {
    return get(device, &FakeDriver::statistics);
  }

 private:
  template <typename T>
  Result<T> get(const std::string& device, Result<T> FakeDriver::*answer) const {
    const auto found = devices.find(device);
    if (found == devices.end()) return FakeDriver::refusal(ENODEV);
    return found->second.*answer;
  }
};

}  // namespace nettoll
