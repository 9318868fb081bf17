// SPDX-License-Identifier: Apache-2.0
// Names of network namespaces, which the kernel knows by inode number alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/kernel_fs.h"
#include "model/netns_name.h"
#include "model/profile.h"

namespace nettoll {

/// The names of `ip netns`, sorted: files in /run/netns that are network namespaces, 1000 of them at most.
std::vector<NetnsName> named_netns(const KernelFs& fs);

/// Names namespaces as they turn up. Keeps what it found, since a namespace may be gone before its packets
/// are shown.
class NetnsNamer {
 public:
  /// Reads /run/netns.
  explicit NetnsNamer(KernelFs fs);

  /// The names of these namespaces, as far as they have one. One that is known costs a stat; one that is not
  /// leads to a look through /run/netns and, where that does not tell, all processes, once a second at most.
  std::vector<NetnsName> names(std::vector<uint32_t> inodes);
  /// Sets Profile::netns_names.
  void name(Profile& profile);

 private:
  struct Known {
    std::string name;
    std::string path;  ///< a file that is this namespace, while it lasts
  };

  bool holds(uint32_t inode) const;
  void look_for(const std::vector<uint32_t>& inodes);
  void look_in_run();
  void look_in_processes(const std::vector<uint32_t>& inodes);

  KernelFs fs_;
  std::map<uint32_t, Known> known_;
  std::chrono::steady_clock::time_point looked_;
};

}  // namespace nettoll
