// SPDX-License-Identifier: Apache-2.0
#include "cli/host_reader.h"

#include <utility>

#include "host/read_host.h"
#include "host/window.h"

namespace nettoll {

Result<HostReader> HostReader::open(const KernelFs& fs) {
  auto ethtool = LiveEthtool::open();
  if (!ethtool) return ethtool.error();
  auto route = LiveRoute::open();
  if (!route) return route.error();
  HostReader reader(fs, std::move(*ethtool), std::move(*route));
  auto first = reader.read();
  if (!first) return first.error();
  reader.last_ = std::move(*first);
  return reader;
}

Result<HostState> HostReader::read() {
  auto state = read_host(fs_, ethtool_, route_);
  read_at_ = std::chrono::steady_clock::now();
  return state;
}

Result<HostState> HostReader::next() {
  const auto before = read_at_;
  auto now = read();
  if (!now) return now.error();
  const std::chrono::duration<double> seconds = read_at_ - before;
  HostState difference = window(last_, *now, seconds.count());
  last_ = std::move(*now);
  return difference;
}

}  // namespace nettoll
