// SPDX-License-Identifier: Apache-2.0
// Readings of this host's network setup, one after the other.
#pragma once

#include <chrono>
#include <optional>

#include "base/kernel_fs.h"
#include "base/result.h"
#include "host/live_ethtool.h"
#include "host/live_route.h"
#include "model/host_state.h"

namespace nettoll {

/// Holds the reading before, so that each next one gives a window.
class HostReader {
 public:
  /// Reads the host for the first time.
  static Result<HostReader> open(const KernelFs& fs);

  /// What happened since the last reading.
  Result<HostState> next();

 private:
  HostReader(const KernelFs& fs, LiveEthtool ethtool, LiveRoute route)
      : fs_(fs), ethtool_(std::move(ethtool)), route_(std::move(route)) {}
  Result<HostState> read();

  KernelFs fs_;
  LiveEthtool ethtool_;
  LiveRoute route_;
  HostState last_;
  std::chrono::steady_clock::time_point read_at_;
};

}  // namespace nettoll
