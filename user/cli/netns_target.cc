// SPDX-License-Identifier: Apache-2.0
#include "cli/netns_target.h"

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <memory>
#include <optional>
#include <thread>

#include "base/unique_fd.h"

namespace nettoll {
namespace {

constexpr const char* kRemedy =
    "give a path such as /run/netns/NAME, a process number, or an inode number as lsns -t net shows it";

/// Inode numbers of namespaces begin here (PROC_DYNAMIC_FIRST and NET_NS_INIT_INO); process numbers end far
/// below.
constexpr uint64_t kFirstInode = 0xeffffff0;

std::optional<uint64_t> number_of(std::string_view text) {
  uint64_t number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The inode number if `path` is a network namespace: all namespaces are on one file system (nsfs), and
/// another kind cannot be entered as one, so the link or the mount has to say which it is.
Result<uint32_t> netns_inode(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return system_error(fmt::format("cannot open the network namespace {}", path), errno);
  char kind[64] = {};
  const std::string self = fmt::format("/proc/self/fd/{}", fd.get());
  struct stat facts = {};
  const bool named = ::readlink(self.c_str(), kind, sizeof(kind) - 1) > 0;
  if (::fstat(fd.get(), &facts) != 0) return system_error(fmt::format("cannot stat {}", path), errno);
  struct stat own = {};
  if (::stat("/proc/self/ns/net", &own) != 0) return system_error("cannot stat /proc/self/ns/net", errno);
  // An nsfs file that is bind-mounted is named by its path, so the file system is what tells.
  const bool other_kind = named && std::string_view(kind).find(":[") != std::string_view::npos &&
                          !std::string_view(kind).starts_with("net:[");
  if (facts.st_dev != own.st_dev || other_kind)
    return usage_error(fmt::format("{} is no network namespace", path), kRemedy);
  return static_cast<uint32_t>(facts.st_ino);
}

Result<NetnsTarget> by_path(const std::string& path) {
  auto inode = netns_inode(path);
  if (!inode) {
    if (inode.error().code == ENOENT || inode.error().code == ENOTDIR || inode.error().code == ESRCH)
      return usage_error(fmt::format("there is no network namespace {}", path), kRemedy);
    return inode.error();
  }
  return NetnsTarget{*inode, path};
}

/// Where `ip netns` has its names.
constexpr const char* kNames = "/run/netns";

/// A path to the namespace of that number, by its name or through any process in it.
std::string path_of(uint32_t inode, const KernelFs& fs) {
  std::vector<std::string> paths;
  if (const auto names = fs.list(kNames)) {
    for (const std::string& name : *names) paths.push_back(fmt::format("{}/{}", kNames, name));
  }
  if (const auto names = fs.list("/proc")) {
    for (const std::string& name : *names)
      if (number_of(name)) paths.push_back(fmt::format("/proc/{}/ns/net", name));
  }
  for (const std::string& each : paths) {
    std::string path = fs.path(each);
    const auto found = netns_inode(path);
    if (found && *found == inode) return path;
  }
  return {};
}

}  // namespace

Result<NetnsTarget> find_netns(std::string_view text, const KernelFs& fs) {
  if (text.empty()) return usage_error("--netns is empty", kRemedy);
  // Names first, as ip(8) has it: they may be numbers.
  if (text.find('/') == std::string_view::npos && text != "." && text != "..") {
    const std::string named = fs.path(fmt::format("{}/{}", kNames, text));
    if (::access(named.c_str(), F_OK) == 0) return by_path(named);
  }
  if (const auto number = number_of(text)) {
    if (*number > UINT32_MAX) return usage_error(fmt::format("--netns: {} is too large", text), kRemedy);
    if (*number >= kFirstInode) {
      const auto inode = static_cast<uint32_t>(*number);
      return NetnsTarget{inode, path_of(inode, fs)};
    }
    const std::string path = fs.path(fmt::format("/proc/{}/ns/net", *number));
    if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT)
      return usage_error(fmt::format("--netns: there is no process {}", *number), kRemedy);
    return by_path(path);
  }
  return by_path(std::string(text));
}

Result<NetnsTarget> own_netns_target() {
  return by_path("/proc/self/ns/net");
}

Result<std::vector<NamedDevice>> devices_of(const NetnsTarget& netns) {
  if (netns.path.empty())
    return failure(
        fmt::format(
            "no process is in network namespace {} and no name leads to it, so its devices cannot be listed",
            netns.inode),
        "name it by a path, or leave --dev out");
  std::vector<NamedDevice> devices;
  Status status;
  // In a thread, whose namespace ends with it.
  std::thread([&] {
    const UniqueFd fd(::open(netns.path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd || ::setns(fd.get(), CLONE_NEWNET) != 0) {
      status = system_error(fmt::format("cannot enter network namespace {}", netns.path), errno,
                            "run as root (CAP_SYS_ADMIN)");
      return;
    }
    const std::unique_ptr<struct if_nameindex, decltype(&::if_freenameindex)> list(::if_nameindex(),
                                                                                   &::if_freenameindex);
    if (!list) {
      status = system_error("cannot list network devices", errno);
      return;
    }
    for (const struct if_nameindex* device = list.get(); device->if_index; ++device)
      devices.push_back({device->if_name, device->if_index});
  }).join();
  if (!status) return status.error();
  return devices;
}

}  // namespace nettoll
