// SPDX-License-Identifier: Apache-2.0
// Examples of dropped packets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/function.h"
#include "model/net.h"
#include "model/netns_name.h"

namespace nettoll {

/// A protocol as people name it: an EtherType, which a packet has if it, one of the VLAN tags in its bytes,
/// or what is behind them has; or IP protocol numbers in either IP, behind VLAN tags and IPv6 extension
/// headers.
struct ProtocolFilter {
  std::optional<uint16_t> ethertype;  ///< host order; 0 is packets without one
  std::vector<uint8_t> transports;    ///< two at most; empty is all

  bool any() const { return !ethertype && transports.empty(); }
  bool operator==(const ProtocolFilter&) const = default;
};

/// VLAN tags and extension headers that are looked behind, at most.
inline constexpr size_t kMostVlanTags = 4, kMostExtensionHeaders = 8;

/// Which drops are meant: those that match all that is set.
struct DropFilter : ProtocolFilter {
  std::vector<uint32_t> reasons;  ///< enum skb_drop_reason; empty is all
  uint32_t netns = 0;             ///< inode number of the packet's device's namespace; 0 is all
  uint32_t ifindex = 0;           ///< in that namespace; 0 is all

  bool operator==(const DropFilter&) const = default;
};

/// The most reasons that a filter takes.
inline constexpr size_t kMostFilterReasons = 64;

/// What the copied bytes of a packet begin with.
enum class BytesBegin : uint8_t {
  nothing,  ///< there are none: no header was known
  mac,      ///< the link's header
  network,  ///< the network protocol's header
};

/// One dropped packet as the kernel side saw it.
struct RawDropSample {
  uint64_t time_ns = 0;   ///< CLOCK_MONOTONIC
  uint64_t location = 0;  ///< as skb:kfree_skb gives it
  uint32_t reason = 0;    ///< see RawDrops
  uint32_t cpu = 0;
  DeviceId id;
  std::string device;
  uint16_t protocol = 0;  ///< EtherType in host order, 0 where the skb has none
  uint32_t length =
      0;  ///< of the packet from the start of `bytes` on, or of all that is left where there are none
  uint16_t gso_segments = 0;
  uint16_t gso_size = 0;
  uint32_t pid = 0;  ///< the task that ran, which need not have to do with the packet: softirqs run over any
  std::string task;
  std::vector<uint64_t> stack;  ///< return addresses, innermost first
  BytesBegin begin = BytesBegin::nothing;
  uint16_t network_protocol = 0;  ///< EtherType of the network header, behind VLAN tags
  uint16_t network_offset = 0;    ///< where in `bytes` the network protocol's header begins
  std::vector<uint8_t> bytes;
};

/// What became of the drops that a filter let through. matched = emitted + rate_limited + ring_full, to the
/// unit.
struct SampleAccount {
  uint64_t matched = 0;
  uint64_t emitted = 0;
  uint64_t rate_limited = 0;
  uint64_t ring_full = 0;
  uint64_t missed_runs = 0;  ///< runs of the program that the kernel skipped; in no other number

  SampleAccount operator-(const SampleAccount& before) const {
    return {matched - before.matched, emitted - before.emitted, rate_limited - before.rate_limited,
            ring_full - before.ring_full, missed_runs - before.missed_runs};
  }
  bool operator==(const SampleAccount&) const = default;
};

/// What the headers of a packet say.
struct PacketHeaders {
  bool ethernet = false;      ///< the bytes begin with an Ethernet header
  uint16_t ethertype = 0;     ///< behind VLAN tags; 0 where unknown
  size_t network_offset = 0;  ///< of the header of that protocol
  /// Bytes that are headers: what is behind is payload. At most what was copied.
  size_t headers_size = 0;
  uint8_t ip_version = 0;  ///< 4 or 6, 0 where the packet is no IP
  std::string source;      ///< addresses as text, "" where there are none
  std::string destination;
  /// IP protocol number, behind IPv6 extension headers; nothing where these do not end in the copied bytes.
  std::optional<uint8_t> transport;
  bool fragment = false;  ///< a later fragment, which has no transport header
  std::optional<uint16_t> source_port;
  std::optional<uint16_t> destination_port;
  std::optional<uint8_t> icmp_type;
  std::optional<uint8_t> icmp_code;
  std::optional<uint8_t> tcp_flags;

  bool operator==(const PacketHeaders&) const = default;
};

/// One dropped packet with names.
struct DropSample {
  RawDropSample raw;
  /// As Drops have them, of one packet.
  Drops drop;
  std::vector<Symbol> stack;  ///< from the place of the drop on, helpers included
  bool in_softirq = false;    ///< a softirq is on the stack: the task was only interrupted
  PacketHeaders headers;
  std::string flow;       ///< addresses, ports, protocol and flags in one line; "" for what is no IP
  std::string transport;  ///< "tcp", "udp", "icmp", "icmpv6", else the number; "" where unknown
  std::string tcp_flags;  ///< "SYN,ACK"; "" for what is no TCP
};

/// What happened in one window of `nettoll drops`.
struct DropWindow {
  uint64_t wall_start_ns = 0;  ///< CLOCK_REALTIME
  uint64_t duration_ns = 0;
  bool drop_reasons = true;  ///< see Session
  std::vector<Drops> drops;  ///< exact
  std::vector<Loss> losses;
  std::vector<NetnsName> netns_names;  ///< of namespaces in `drops` and `samples`
  std::vector<DropSample> samples;
  std::optional<SampleAccount> account;  ///< nothing where no samples are taken
  std::vector<std::string> notes;        ///< what a reader has to know of the numbers, a sentence each
};

}  // namespace nettoll
