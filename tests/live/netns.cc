// SPDX-License-Identifier: Apache-2.0
#include "live/netns.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "live/child_process.h"

namespace nettoll::live {
namespace {

/// Runs `body` in a thread, so that what it does to the thread's namespace ends with the thread.
Status in_thread(const std::function<Status()>& body) {
  Status status;
  std::exception_ptr thrown;
  std::thread([&] {
    try {
      status = body();
    } catch (...) {
      thrown = std::current_exception();
    }
  }).join();
  if (thrown) std::rethrow_exception(thrown);
  return status;
}

Status ip(const std::string& words) {
  std::vector<std::string> argv{"ip"};
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(' ', at), words.size());
    argv.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  auto out = run_checked(argv);
  if (!out) return out.error();
  return {};
}

/// Runs each of `steps` with ip(8) until one fails.
Status ip_all(const std::vector<std::string>& steps) {
  for (const std::string& step : steps)
    if (auto status = ip(step); !status) return status;
  return {};
}

Status quiet_ipv6(const std::string& device, bool wanted) {
  if (::access("/proc/sys/net/ipv6", F_OK) != 0) {
    if (wanted) return failure("this kernel has no IPv6");
    return {};
  }
  if (!wanted) return set_sysctl("net.ipv6.conf.all.disable_ipv6", "1");
  // No link-local address (addr_gen_mode 1 is none), so no router solicitation and no duplicate check of it.
  if (auto status = set_sysctl("net.ipv6.conf." + device + ".addr_gen_mode", "1"); !status) return status;
  if (auto status = set_sysctl("net.ipv6.conf." + device + ".accept_ra", "0"); !status) return status;
  return set_sysctl("net.ipv6.conf." + device + ".accept_dad", "0");
}

Status lift_icmp_limits(bool ipv6) {
  // icmpv4_mask_allow(): a type outside the mask is under neither the per-target nor the global limit.
  if (auto status = set_sysctl("net.ipv4.icmp_ratemask", "0"); !status) return status;
  if (!ipv6) return {};
  // 0 turns the per-target limit off; the mask leaves no type under the global one (kernels before 5.1 lack
  // it).
  if (auto status = set_sysctl("net.ipv6.icmp.ratelimit", "0"); !status) return status;
  if (::access("/proc/sys/net/ipv6/icmp/ratemask", F_OK) != 0) return {};
  return set_sysctl("net.ipv6.icmp.ratemask", "");
}

/// Configures one end from inside its namespace.
Status set_up(const VethEnd& self, const VethEnd& peer, const VethOptions& options) {
  if (auto status = quiet_ipv6(self.device, options.ipv6); !status) return status;
  if (options.all_icmp_errors)
    if (auto status = lift_icmp_limits(options.ipv6); !status) return status;
  const std::string dev = " dev " + self.device;
  // arp off (IFF_NOARP) also ends neighbour discovery and the solicited-node groups, whose joining would be
  // announced by MLD reports.
  std::vector<std::string> steps{
      "link set" + dev + " arp off up",
      "link set dev lo up",
      "-4 address add " + self.ipv4 + "/24" + dev,
      "-4 neighbour replace " + peer.ipv4 + " lladdr " + peer.mac + " nud permanent" + dev,
  };
  if (options.ipv6) {
    steps.push_back("-6 address add " + self.ipv6 + "/64" + dev + " nodad");
    steps.push_back("-6 neighbour replace " + peer.ipv6 + " lladdr " + peer.mac + " nud permanent" + dev);
  }
  return ip_all(steps);
}

}  // namespace

Result<NetNs> NetNs::create() {
  NetNs ns;
  auto status = in_thread([&]() -> Status {
    if (::unshare(CLONE_NEWNET) != 0)
      return system_error("cannot make a network namespace", errno, "run as root (CAP_SYS_ADMIN)");
    ns.fd_.reset(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
    if (!ns.fd_) return system_error("cannot open /proc/thread-self/ns/net", errno);
    return {};
  });
  if (!status) return status.error();
  struct stat info {};
  if (::fstat(ns.fd(), &info) != 0) return system_error("cannot stat a network namespace", errno);
  ns.inode_ = info.st_ino;
  return ns;
}

std::string NetNs::path() const {
  return fmt::format("/proc/{}/fd/{}", ::getpid(), fd_.get());
}

Status NetNs::run(const std::function<Status()>& body) const {
  return in_thread([&]() -> Status {
    if (::setns(fd_.get(), CLONE_NEWNET) != 0)
      return system_error("cannot enter a network namespace", errno, "run as root (CAP_SYS_ADMIN)");
    return body();
  });
}

Result<VethPair> VethPair::create(const VethOptions& options) {
  auto a = NetNs::create();
  if (!a) return a.error();
  auto b = NetNs::create();
  if (!b) return b.error();
  VethPair pair;
  const std::string v6 = options.ipv6 ? "fd00:10:99::" : "";
  const auto address6 = [&](const char* last) { return options.ipv6 ? v6 + last : std::string(); };
  pair.a = {std::move(*a), "toll-a", "02:00:00:00:63:01", "10.99.0.1", address6("1")};
  pair.b = {std::move(*b), "toll-b", "02:00:00:00:63:02", "10.99.0.2", address6("2")};

  const std::string queues = fmt::format(" numrxqueues {0} numtxqueues {0}", options.queues);
  auto status = pair.a.ns.run([&] {
    return ip("link add " + pair.a.device + " address " + pair.a.mac + queues + " type veth peer name " +
              pair.b.device + " address " + pair.b.mac + queues + " netns " + pair.b.ns.path());
  });
  // Both are configured before traffic can matter; an end without carrier takes addresses all the same.
  if (status) status = pair.a.ns.run([&] { return set_up(pair.a, pair.b, options); });
  if (status) status = pair.b.ns.run([&] { return set_up(pair.b, pair.a, options); });
  if (!status) return status.error();
  return pair;
}

std::string missing_for_netns() {
  if (::geteuid() != 0) return "root (CAP_SYS_ADMIN and CAP_NET_ADMIN) is missing";
  if (auto version = run_checked({"ip", "-V"}); !version)
    return "ip(8) is missing: " + version.error().text();
  if (auto ns = NetNs::create(); !ns) return "network namespaces are missing: " + ns.error().text();
  return {};
}

Status set_sysctl(const std::string& name, const std::string& value) {
  std::string path = "/proc/sys/" + name;
  std::replace(path.begin() + sizeof "/proc/sys/" - 1, path.end(), '.', '/');
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file) return system_error(fmt::format("cannot open {}", path), errno);
  const std::string line = value + "\n";
  if (::write(file.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    return system_error(fmt::format("cannot write '{}' to {}", value, path), errno);
  return {};
}

}  // namespace nettoll::live
