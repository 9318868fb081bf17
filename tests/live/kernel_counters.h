// SPDX-License-Identifier: Apache-2.0
// The kernel's own network counters, which tests hold nettoll's against: /proc/net/{dev,snmp,snmp6,netstat}
// of the calling thread's namespace, and softnet_stat, which is one for the whole host.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "live/netns.h"

namespace nettoll::live {

/// One line of /proc/net/dev. Packets are skbs as the driver counts them.
struct DeviceCounters {
  uint64_t rx_bytes = 0;
  uint64_t rx_packets = 0;
  uint64_t rx_errors = 0;
  uint64_t rx_dropped = 0;
  uint64_t tx_bytes = 0;
  uint64_t tx_packets = 0;
  uint64_t tx_errors = 0;
  uint64_t tx_dropped = 0;
};

/// The columns of one CPU in /proc/net/softnet_stat that count. 32 bits wide in the kernel: they wrap, and so
/// does the difference.
struct SoftnetCounters {
  uint32_t processed =
      0;  // softnet_data.processed: once per skb in __netif_receive_skb_core (again per VLAN tag)
  uint32_t dropped = 0;       // the backlog was full
  uint32_t time_squeeze = 0;  // net_rx_action ended with work left
  uint32_t received_rps = 0;
};

struct KernelCounters {
  std::map<std::string, DeviceCounters> devices;
  /// Named as nstat names them: protocol and counter, such as UdpNoPorts, Udp6NoPorts, IcmpOutDestUnreachs,
  /// TcpExtTCPTimeouts. Signed, since a few are gauges.
  std::map<std::string, int64_t> protocols;
  /// By CPU id.
  std::map<uint32_t, SoftnetCounters> softnet;

  /// A device's counters; an unknown one is an empty line, which no expectation about traffic can take for
  /// good.
  DeviceCounters device(const std::string& name) const;
  /// A protocol counter; 0 where this kernel does not have it.
  int64_t protocol(const std::string& name) const;
  /// Sum over CPUs of what softnet processed.
  uint64_t softnet_processed() const;
};

/// Reads all of them for the calling thread's namespace.
Result<KernelCounters> read_kernel_counters();
/// The same inside `ns`.
Result<KernelCounters> read_kernel_counters(const NetNs& ns);

/// after - before, counter by counter. What only one of them has is taken as counted from 0.
KernelCounters difference(const KernelCounters& after, const KernelCounters& before);

/// The parsers, for their own tests.
Result<std::map<std::string, DeviceCounters>> parse_net_dev(std::string_view text);
/// /proc/net/snmp and /proc/net/netstat: pairs of lines, names then values.
Result<std::map<std::string, int64_t>> parse_snmp(std::string_view text);
/// /proc/net/snmp6: a name and a value a line.
Result<std::map<std::string, int64_t>> parse_snmp6(std::string_view text);
Result<std::map<uint32_t, SoftnetCounters>> parse_softnet_stat(std::string_view text);

}  // namespace nettoll::live
