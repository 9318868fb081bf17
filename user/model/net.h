// SPDX-License-Identifier: Apache-2.0
// Packets, NAPI, softirqs and drops over one window.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace nettoll {

/// The way of a packet, or what else a CPU did. A sample belongs to the path of the innermost entry point on
/// its stack.
enum class Path : uint8_t { rx, tx, send, receive, timer, other, idle, user, own };
inline constexpr Path kAllPaths[] = {Path::rx,    Path::tx,   Path::send, Path::receive, Path::timer,
                                     Path::other, Path::idle, Path::user, Path::own};
inline constexpr size_t kPathCount = std::size(kAllPaths);

/// True for the paths that are network work.
inline bool is_network(Path path) {
  return path <= Path::timer;
}

/// Packets (skbs) that took a path on a CPU, and the wire segments in them (gso_segs).
struct PathPackets {
  Path path = Path::rx;
  uint32_t cpu = 0;
  uint64_t packets = 0;
  uint64_t segments = 0;

  bool operator==(const PathPackets&) const = default;
};

/// A network device by what the kernel calls it; indexes and names repeat across namespaces.
struct DeviceId {
  uint32_t netns = 0;  ///< inode number of the namespace, 0 where unknown
  uint32_t ifindex = 0;
  auto operator<=>(const DeviceId&) const = default;
};

/// NAPI polls of a device on a CPU.
struct NapiPolls {
  DeviceId id;
  std::string device;  ///< name; "backlog" for the per-CPU backlog queue that serves loopback, veth and RPS
  uint32_t cpu = 0;
  uint64_t polls = 0;
  uint64_t packets = 0;           ///< the polls' work
  uint64_t budget_exhausted = 0;  ///< polls whose work reached the weight

  bool operator==(const NapiPolls&) const = default;
};

/// Packets by the receive queue that the driver recorded (skb_record_rx_queue).
struct QueuePackets {
  DeviceId id;
  std::string device;
  int32_t queue = -1;  ///< -1 where the driver recorded none
  uint64_t packets = 0;

  bool operator==(const QueuePackets&) const = default;
};

/// Runs of a softirq vector (include/linux/interrupt.h) on a CPU and the time in it.
struct SoftirqTime {
  uint32_t vector = 0;
  uint32_t cpu = 0;
  uint64_t runs = 0;
  uint64_t ns = 0;

  bool operator==(const SoftirqTime&) const = default;
};

/// Drops that skb:kfree_skb reported, as the kernel has them.
struct RawDrops {
  /// enum skb_drop_reason, subsystem in the high 16 bits. Not meaningful where the kernel gives none.
  uint32_t reason = 0;
  uint64_t location = 0;  ///< the address that freed the packet, outside free helpers where that is known
  uint16_t protocol = 0;  ///< EtherType in host order, 0 where the skb has none
  DeviceId id;
  std::string device;  ///< name, or "" where the skb has no device
  uint64_t packets = 0;
  std::string helper{};       ///< the free helper that `location` called, "" if it freed the packet itself
  bool transmitting = false;  ///< see DropOrigin

  bool operator==(const RawDrops&) const = default;
};

/// The same with names.
struct Drops {
  /// "NO_SOCKET", "unknown_<n>", or "unclassified" on kernels without reasons.
  std::string reason;
  /// "core", or the name of the subsystem that owns the reason.
  std::string subsystem;
  std::string function;  ///< symbol of the location, or an address in hex
  std::string module;
  std::string protocol;  ///< "ipv4", "ipv6", "arp", "none", else the EtherType in hex
  std::string device;
  uint32_t netns = 0;
  uint64_t packets = 0;
  std::string helper{};  ///< as in RawDrops
  bool transmitting = false;

  bool operator==(const Drops&) const = default;
};

/// Where data was lost. Each is counted, shown and exported.
enum class LossKind : uint8_t {
  ring_full,  ///< samples that found no room in the ring (PERF_RECORD_LOST, _LOST_SAMPLES, PERF_FORMAT_LOST)
  throttled,  ///< times that the kernel stopped an event for the rest of a tick
  stack_table,       ///< samples whose stack found no room in nettoll's table
  missed_run,        ///< runs of a program that the kernel skipped
  drop_table,        ///< drops that found no room in the table of kinds; in the total, not by reason
  napi_table,        ///< NAPI polls whose device found no room
  queue_table,       ///< packets whose queue found no room
  unmatched_sample,  ///< records that the reader could not make sense of
};

/// One loss: how much, of what (an event or a program).
struct Loss {
  LossKind kind = LossKind::ring_full;
  std::string subject;
  uint64_t count = 0;

  bool operator==(const Loss&) const = default;
};

}  // namespace nettoll
