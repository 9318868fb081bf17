// SPDX-License-Identifier: Apache-2.0
// Network namespaces of a test's own, joined by a veth pair on which only the test's packets move.
//
// The namespaces have no name: they live by file descriptors of this process alone, so the kernel removes
// them, with devices, addresses and filters inside, however the process ends (SIGKILL too). Nothing can be
// left over from an earlier run, and no device ever appears in the host's own namespace.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace nettoll::live {

/// One network namespace, held by a descriptor.
class NetNs {
 public:
  /// A new, empty namespace (only `lo`, down). Needs CAP_SYS_ADMIN.
  static Result<NetNs> create();

  /// A path by which other processes can enter it while this object lives: /proc/PID/fd/N, fit for
  /// `nsenter --net=PATH` and for `ip link ... netns PATH`.
  std::string path() const;
  int fd() const { return fd_.get(); }
  /// Its inode number, by which the kernel and BPF programs know it (ns_common.inum).
  uint64_t inode() const { return inode_; }

  /// Runs `body` in a thread of its own that has entered the namespace, and waits for it. Sockets made there,
  /// and child processes started there, belong to the namespace. /proc/net is the main thread's: read
  /// /proc/thread-self/net. /proc/sys/net follows the thread.
  Status run(const std::function<Status()>& body) const;

  /// run() for a body that returns a value.
  template <typename T>
  Result<T> call(const std::function<Result<T>()>& body) const {
    Result<T> result = failure("the body never ran");
    auto status = run([&]() -> Status {
      result = body();
      return {};
    });
    if (!status) return status.error();
    return result;
  }

 private:
  UniqueFd fd_;
  uint64_t inode_ = 0;
};

struct VethOptions {
  /// Also give both ends an IPv6 address. Otherwise IPv6 is off in both namespaces.
  bool ipv6 = false;
  /// Receive and transmit queues of each end.
  unsigned queues = 1;
  /// Answer every packet to a closed port by an ICMP error: the rate limit is lifted. With false the kernel's
  /// default limits stand and the number of answers depends on time.
  bool all_icmp_errors = true;
};

/// One end of the pair.
struct VethEnd {
  NetNs ns;
  std::string device;
  std::string mac;
  std::string ipv4;
  std::string ipv6;  // empty where not asked for
};

/// Two namespaces joined by a veth pair, up, addressed and silent: neighbours are static, ARP and neighbour
/// discovery off, no multicast membership is announced. What the devices count is what the test sends and
/// what the kernel answers to it.
struct VethPair {
  static Result<VethPair> create(const VethOptions& options = {});
  VethEnd a;
  VethEnd b;
};

/// What is missing on this host for namespaces and traffic, as one line for GTEST_SKIP; empty if nothing is.
std::string missing_for_netns();

/// Writes a file under /proc/sys of the calling thread's namespace; `name` is dotted as sysctl has it; device
/// names with a dot cannot be told.
Status set_sysctl(const std::string& name, const std::string& value);

}  // namespace nettoll::live
