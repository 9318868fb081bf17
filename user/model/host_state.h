// SPDX-License-Identifier: Apache-2.0
// How the network of a host is set up, and what its hardware and kernel counted on their own.
//
// One reading holds counters since boot; a window (host/window.h) holds their differences, which is all that
// rules may judge by.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/cpu_set.h"

namespace nettoll {

/// What the kernel or a driver answered, or why it did not: "Operation not supported".
template <typename T>
struct Answer {
  std::optional<T> value;
  std::string reason;  ///< empty where there is a value, and where it was not asked

  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const { return *value; }
  const T* operator->() const { return &*value; }
  bool operator==(const Answer&) const = default;
};

/// ETHTOOL_GCHANNELS: queues in use and the most there may be.
struct Channels {
  uint32_t rx = 0, tx = 0, combined = 0;
  uint32_t max_rx = 0, max_tx = 0, max_combined = 0;

  uint32_t receiving() const { return rx + combined; }
  uint32_t max_receiving() const { return max_rx > max_combined ? max_rx : max_combined; }
  bool operator==(const Channels&) const = default;
};

/// ETHTOOL_GRINGPARAM, in descriptors.
struct RingSizes {
  uint32_t rx = 0, tx = 0;
  uint32_t max_rx = 0, max_tx = 0;
  bool operator==(const RingSizes&) const = default;
};

/// ETHTOOL_GRSSH: the receive queue of each hash bucket, and how the hash is made.
struct Indirection {
  std::vector<uint32_t> queues;
  std::string hash_function;  ///< "toeplitz", "xor", "crc32"; empty where the driver does not tell
  std::vector<uint8_t> key;
  bool operator==(const Indirection&) const = default;
};

/// ETHTOOL_GRXFH of one kind of flow: which fields go into the hash.
struct FlowHash {
  std::string protocol;  ///< as ethtool names it: "tcp4", "udp4", "tcp6", "udp6"
  bool addresses = false;
  bool ports = false;
  bool operator==(const FlowHash&) const = default;
};

/// ETHTOOL_GCOALESCE. 0 in both of a direction: an interrupt for each packet.
struct Coalescing {
  uint32_t rx_usecs = 0, rx_frames = 0;
  bool adaptive_rx = false;
  bool operator==(const Coalescing&) const = default;
};

/// Of a receive queue.
struct RxQueue {
  uint32_t index = 0;
  std::optional<uint64_t> packets;       ///< where the driver counts by queue
  std::optional<uint64_t> drops;         ///< likewise
  std::optional<CpuSet> rps_cpus;        ///< empty set: RPS off
  std::optional<uint64_t> rps_flow_cnt;  ///< 0: RFS off
  bool operator==(const RxQueue&) const = default;
};

/// Of a transmit queue.
struct TxQueue {
  uint32_t index = 0;
  std::optional<uint64_t> packets;
  std::optional<CpuSet> xps_cpus;
  bool operator==(const TxQueue&) const = default;
};

/// One interrupt of a device.
struct Vector {
  uint32_t irq = 0;
  std::string name;  ///< last words of its line in /proc/interrupts
  /// What the driver's name for it says, where it says it: `queue` is then the number in it.
  enum class Role : uint8_t { unknown, rx, tx, both, other } role = Role::unknown;
  std::optional<uint32_t> queue;
  std::optional<CpuSet> affinity;            ///< smp_affinity: where it may go
  std::optional<CpuSet> effective_affinity;  ///< where it goes
  std::vector<uint64_t> by_cpu;              ///< interrupts, indexed by CPU id

  uint64_t total() const {
    uint64_t sum = 0;
    for (const uint64_t n : by_cpu) sum += n;
    return sum;
  }
  bool operator==(const Vector&) const = default;
};

/// /sys/class/net/*/statistics, which is rtnl_link_stats64 (include/uapi/linux/if_link.h).
struct LinkCounters {
  uint64_t rx_packets = 0, rx_bytes = 0, rx_errors = 0, rx_dropped = 0, rx_missed = 0, rx_fifo = 0,
           rx_crc = 0, rx_nohandler = 0;
  uint64_t tx_packets = 0, tx_bytes = 0, tx_errors = 0, tx_dropped = 0;
  bool operator==(const LinkCounters&) const = default;
};

/// One qdisc (RTM_GETQDISC), TCA_STATS2.
struct Qdisc {
  std::string kind;    ///< "fq_codel"
  std::string handle;  ///< "8001:", of the root or of a class's child
  std::string parent;  ///< "root", "8001:1"
  uint64_t packets = 0, drops = 0, overlimits = 0;
  uint32_t backlog_packets = 0;  ///< now, in a window too
  bool operator==(const Qdisc&) const = default;
};

/// One network device of a namespace.
struct Nic {
  std::string name;
  uint32_t ifindex = 0;
  std::string driver;     ///< of the device, or its parent for virtio; empty for a device of the kernel's own
  bool physical = false;  ///< has a device below it: lo, bridges, veth and tunnels have none
  bool up = false;        ///< operstate up or unknown, and IFF_UP
  std::optional<int> numa_node;  ///< absent also where the kernel says -1
  std::optional<uint32_t> speed_mbps;
  std::optional<std::string> xdp;  ///< "native", "generic", "offload"; absent: no program
  Answer<Channels> channels;
  Answer<RingSizes> rings;
  Answer<Indirection> indirection;
  std::map<std::string, Answer<FlowHash>> flow_hash;  ///< by protocol
  Answer<Coalescing> coalescing;
  std::map<std::string, bool> features;  ///< ETHTOOL_GFEATURES by name: "rx-gro", "rx-hashing", "rx-checksum"
  std::vector<RxQueue> rx_queues;        ///< by index
  std::vector<TxQueue> tx_queues;        ///< by index
  std::vector<Vector> vectors;           ///< by irq
  LinkCounters link;
  /// ETHTOOL_GSTATS as the driver names them; the sum where it names several alike.
  Answer<std::map<std::string, uint64_t>> statistics;
  std::vector<Qdisc> qdiscs;
  bool operator==(const Nic&) const = default;
};

/// A CPU's row of /proc/net/softnet_stat (softnet_seq_show in net/core/net-procfs.c). Columns that a kernel
/// does not have are absent.
struct Softnet {
  uint64_t processed = 0, dropped = 0, time_squeeze = 0;
  std::optional<uint64_t> received_rps, flow_limit;
  std::optional<uint32_t> backlog_length;  ///< now, in a window too
  bool operator==(const Softnet&) const = default;
};

/// Times of /proc/stat in clock ticks (USER_HZ).
struct CpuTimes {
  uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;

  uint64_t total() const { return user + nice + system + idle + iowait + irq + softirq + steal; }
  bool operator==(const CpuTimes&) const = default;
};

/// One online CPU.
struct HostCpu {
  uint32_t id = 0;
  std::optional<int> numa_node;
  std::optional<Softnet> softnet;
  std::map<std::string, uint64_t> softirqs;  ///< runs by name as /proc/softirqs has it: "NET_RX"
  std::optional<CpuTimes> times;
  /// CPU time of its ksoftirqd in clock ticks.
  std::optional<uint64_t> ksoftirqd_ticks;
  bool operator==(const HostCpu&) const = default;
};

/// A UDP socket of /proc/net/udp or udp6 that dropped or holds something.
struct UdpSocket {
  bool ipv6 = false;
  uint16_t port = 0;
  uint64_t inode = 0;
  uint64_t queued_bytes = 0;  ///< rx_queue, now, in a window too
  uint64_t drops = 0;
  std::string process;  ///< name of one that holds it; empty where none was found
  bool operator==(const UdpSocket&) const = default;
};

/// /proc/sys/net/core. Absent ones could not be read.
struct NetSettings {
  std::optional<uint64_t> netdev_budget, netdev_budget_usecs, netdev_max_backlog, rps_sock_flow_entries,
      busy_poll, busy_read, rmem_default, rmem_max;
  bool operator==(const NetSettings&) const = default;
};

/// The network of one namespace, and of the CPUs that serve it.
struct HostState {
  uint32_t netns = 0;         ///< inode number of the namespace; 0 where unknown
  std::vector<Nic> nics;      ///< by ifindex
  std::vector<HostCpu> cpus;  ///< by id; online ones
  std::vector<UdpSocket> udp;
  NetSettings settings;
  /// "Udp.RcvbufErrors" of /proc/net/snmp, "TcpExt.ListenDrops" of netstat, "Udp6.RcvbufErrors" of snmp6.
  std::map<std::string, uint64_t> protocols;
  std::optional<bool> irqbalance;  ///< whether it runs; absent where other processes cannot be seen
  double seconds = 0;              ///< length of the window; 0 in a single reading
  /// What could not be read, a sentence each.
  std::vector<std::string> notes;
  bool operator==(const HostState&) const = default;
};

}  // namespace nettoll
