// SPDX-License-Identifier: Apache-2.0
#include "host/netns_names.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace nettoll {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kRunFolder = "/run/netns";
constexpr size_t kMostNamed = 1000;
constexpr size_t kMostProcesses = 32'768;
/// What cannot be named is not looked for in every window.
constexpr std::chrono::seconds kLooksEvery{1};
/// Names of namespaces that are gone are forgotten beyond this.
constexpr size_t kMostKept = 4096;

std::optional<uint32_t> number_of(std::string_view text) {
  uint32_t number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The inode number in "net:[4026531840]".
std::optional<uint32_t> inode_in_link(std::string_view link) {
  constexpr std::string_view kBegin = "net:[";
  if (!link.starts_with(kBegin) || !link.ends_with("]")) return std::nullopt;
  return number_of(link.substr(kBegin.size(), link.size() - kBegin.size() - 1));
}

/// The inode of a path that is a network namespace: a link of a process, or a file of the file system that
/// all namespaces are on. A name that `ip netns` left behind without its mount is a file like any other.
std::optional<uint32_t> inode_of(const std::string& path, const KernelFs& fs) {
  if (const auto link = fs.read_link(path)) return inode_in_link(*link);
  struct stat facts = {}, own = {};
  if (::stat(fs.path(path).c_str(), &facts) != 0 || ::stat(fs.path("/proc/self/ns/net").c_str(), &own) != 0 ||
      facts.st_dev != own.st_dev)
    return std::nullopt;
  return static_cast<uint32_t>(facts.st_ino);
}

}  // namespace

std::vector<NetnsName> named_netns(const KernelFs& fs) {
  std::vector<NetnsName> named;
  const auto names = fs.list(kRunFolder);
  if (!names) return named;
  for (size_t i = 0; i < std::min(names->size(), kMostNamed); ++i) {
    if (const auto inode = inode_of(fmt::format("{}/{}", kRunFolder, (*names)[i]), fs))
      named.push_back({*inode, (*names)[i]});
  }
  return named;
}

NetnsNamer::NetnsNamer(KernelFs fs) : fs_(std::move(fs)) {
  look_in_run();
}

/// Whether the name that is known for an inode still is that of this namespace: numbers are used again.
bool NetnsNamer::holds(uint32_t inode) const {
  const auto found = known_.find(inode);
  return found != known_.end() && inode_of(found->second.path, fs_) == inode;
}

void NetnsNamer::look_in_run() {
  for (NetnsName& named : named_netns(fs_)) {
    const std::string path = fmt::format("{}/{}", kRunFolder, named.name);
    known_[named.inode] = {std::move(named.name), path};
  }
}

void NetnsNamer::look_in_processes(const std::vector<uint32_t>& inodes) {
  std::set<uint32_t> wanted(inodes.begin(), inodes.end());
  const auto entries = fs_.list("/proc");
  if (!entries) return;
  std::vector<uint32_t> processes;
  for (const std::string& name : *entries) {
    if (const auto number = number_of(name)) processes.push_back(*number);
  }
  // The first process of a namespace is the one that it was made for, more often than not.
  std::sort(processes.begin(), processes.end());
  if (processes.size() > kMostProcesses) processes.resize(kMostProcesses);
  for (const uint32_t process : processes) {
    if (wanted.empty()) return;
    const std::string path = fmt::format("/proc/{}/ns/net", process);
    const auto inode = inode_of(path, fs_);
    if (!inode || !wanted.contains(*inode)) continue;
    const auto command = fs_.read_line(fmt::format("/proc/{}/comm", process));
    if (!command) continue;
    known_[*inode] = {fmt::format("{}[{}]", *command, process), path};
    wanted.erase(*inode);
  }
}

void NetnsNamer::look_for(const std::vector<uint32_t>& inodes) {
  if (known_.size() > kMostKept) known_.clear();
  look_in_run();
  std::vector<uint32_t> left;
  for (const uint32_t inode : inodes) {
    if (!holds(inode)) left.push_back(inode);
  }
  if (!left.empty()) look_in_processes(left);
}

std::vector<NetnsName> NetnsNamer::names(std::vector<uint32_t> inodes) {
  std::erase(inodes, 0);
  std::sort(inodes.begin(), inodes.end());
  inodes.erase(std::unique(inodes.begin(), inodes.end()), inodes.end());
  std::vector<uint32_t> unknown;
  for (const uint32_t inode : inodes) {
    if (!holds(inode)) unknown.push_back(inode);
  }
  const auto now = Clock::now();
  if (!unknown.empty() && (looked_ == Clock::time_point() || now - looked_ >= kLooksEvery)) {
    looked_ = now;
    look_for(unknown);
  }
  std::vector<NetnsName> names;
  for (const uint32_t inode : inodes) {
    if (const auto found = known_.find(inode); found != known_.end())
      names.push_back({inode, found->second.name});
  }
  return names;
}

void NetnsNamer::name(Profile& profile) {
  std::vector<uint32_t> inodes;
  for (const auto& row : profile.napi) inodes.push_back(row.id.netns);
  for (const auto& row : profile.queues) inodes.push_back(row.id.netns);
  for (const auto& row : profile.drops) inodes.push_back(row.netns);
  profile.netns_names = names(std::move(inodes));
}

}  // namespace nettoll
