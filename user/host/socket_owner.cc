// SPDX-License-Identifier: Apache-2.0
#include "host/socket_owner.h"

#include <optional>

#include "host/text.h"

namespace nettoll {
namespace {

/// The inode in "socket:[4711]".
std::optional<uint64_t> socket_inode(std::string_view link) {
  constexpr std::string_view kPrefix = "socket:[";
  if (!link.starts_with(kPrefix) || !link.ends_with(']')) return std::nullopt;
  return number_of(link.substr(kPrefix.size(), link.size() - kPrefix.size() - 1));
}

}  // namespace

std::map<uint64_t, std::string> find_socket_owners(const KernelFs& fs, std::set<uint64_t> inodes,
                                                   std::vector<std::string>& notes, size_t most) {
  std::map<uint64_t, std::string> owners;
  if (inodes.empty()) return owners;
  const auto pids = fs.list("/proc");
  if (!pids) return owners;
  size_t looked = 0, closed = 0;
  for (const std::string& pid : *pids) {
    if (!number_of(pid)) continue;
    const auto descriptors = fs.list(fmt::format("/proc/{}/fd", pid));
    if (!descriptors) {
      closed += descriptors.error().code == EACCES ? 1 : 0;
      continue;
    }
    for (const std::string& descriptor : *descriptors) {
      if (looked++ == most) {
        notes.push_back(
            fmt::format("The processes of {} UDP sockets are unknown: the search ended after {} descriptors.",
                        inodes.size(), most));
        return owners;
      }
      const auto link = fs.read_link(fmt::format("/proc/{}/fd/{}", pid, descriptor));
      const auto inode = link ? socket_inode(*link) : std::nullopt;
      if (!inode || !inodes.contains(*inode)) continue;
      const auto comm = fs.read_line(fmt::format("/proc/{}/comm", pid));
      if (!comm) continue;
      owners[*inode] = *comm;
      inodes.erase(*inode);
      if (inodes.empty()) return owners;
    }
  }
  if (closed > 0)
    notes.push_back(fmt::format(
        "The processes of {} UDP sockets are unknown: {} processes of other users may not be looked into.",
        inodes.size(), closed));
  return owners;
}

}  // namespace nettoll
