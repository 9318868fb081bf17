// SPDX-License-Identifier: Apache-2.0
// Network namespaces as people name them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/kernel_fs.h"
#include "base/result.h"

namespace nettoll {

struct NetnsTarget {
  uint32_t inode = 0;
  std::string path;  ///< a file by which it can be entered; "" where only its number is known
};

/// A namespace by name of `ip netns`, also where that is a number, by path (/run/netns/NAME,
/// /proc/PID/ns/net), by the number of a process, or by inode number, which no process number reaches and
/// which need not exist yet. Usage errors: none of these, or no network namespace.
Result<NetnsTarget> find_netns(std::string_view text, const KernelFs& fs);

/// That of this process.
Result<NetnsTarget> own_netns_target();

struct NamedDevice {
  std::string name;
  uint32_t ifindex = 0;
};

/// The devices of a namespace, which this thread enters for the time of the call.
Result<std::vector<NamedDevice>> devices_of(const NetnsTarget& netns);

}  // namespace nettoll
