// SPDX-License-Identifier: Apache-2.0
// Which process holds a socket.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/kernel_fs.h"

namespace nettoll {

/// Names (/proc/PID/comm) by inode, of the first process found that has a descriptor of the socket. Looks at
/// `most` descriptors at the utmost. Adds a note where it stopped there, and where a process could not be
/// looked into and an owner is missing.
std::map<uint64_t, std::string> find_socket_owners(const KernelFs& fs, std::set<uint64_t> inodes,
                                                   std::vector<std::string>& notes, size_t most = 200'000);

}  // namespace nettoll
