// SPDX-License-Identifier: Apache-2.0
// What network namespaces are called on their host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nettoll {

/// A network namespace that has a name: that of `ip netns`, else "nginx[123]", a process that is in it.
struct NetnsName {
  uint32_t inode = 0;
  std::string name;

  bool operator==(const NetnsName&) const = default;
};

/// The name of a namespace, "" where it has none.
inline std::string find_netns_name(const std::vector<NetnsName>& names, uint32_t inode) {
  for (const NetnsName& known : names) {
    if (known.inode == inode) return known.name;
  }
  return {};
}

}  // namespace nettoll
