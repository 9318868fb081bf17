// SPDX-License-Identifier: Apache-2.0
// Traffic of an exact number of packets between the ends of a veth pair, made by the program udp_blast.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "live/child_process.h"
#include "live/netns.h"

namespace nettoll::live {

struct UdpTraffic {
  uint64_t packets = 100'000;
  /// How many of them go to a port that somebody listens on. Spread evenly among the others.
  uint64_t open = 100'000;
  /// UDP payload in bytes.
  uint64_t size = 64;
  uint16_t open_port = 9000;
  uint16_t closed_port = 9001;
  /// Sender and receiver run there, and with veth so does the receive path.
  std::optional<uint32_t> cpu = std::nullopt;
  /// Packets a second; 0 is as fast as it goes.
  uint64_t rate = 0;
  /// Whether the receiver empties its socket. If not, the buffer overflows: UdpRcvbufErrors counts that.
  bool drain = true;
  /// 0 leaves udp_blast's default, which holds all that is sent between two drains many times over.
  uint64_t receive_buffer = 0;
  bool ipv6 = false;
  std::chrono::seconds limit{120};
};

/// What udp_blast saw. `sent_*` are sends that the kernel took.
struct UdpSent {
  uint64_t sent = 0;
  uint64_t sent_open = 0;
  uint64_t sent_closed = 0;
  uint64_t send_errors = 0;
  uint64_t received = 0;
  std::chrono::nanoseconds elapsed{};
  /// CPU time of the sending thread, softirqs on its back included unless the kernel accounts those apart.
  std::chrono::nanoseconds cpu_time{};
};

/// Traffic that runs in the background until wait() or the end of the object.
class RunningTraffic {
 public:
  /// Waits until all is sent. An error if udp_blast failed or gave up at its time limit.
  Result<UdpSent> wait();
  bool running() const { return child_.running(); }

 private:
  friend Result<RunningTraffic> start_udp(const VethEnd&, const VethEnd&, const UdpTraffic&);
  RunningTraffic(ChildProcess child, std::chrono::seconds limit) : child_(std::move(child)), limit_(limit) {}
  ChildProcess child_;
  std::chrono::seconds limit_;
};

/// Starts sending from one end to the other.
Result<RunningTraffic> start_udp(const VethEnd& from, const VethEnd& to, const UdpTraffic& traffic);

/// Sends all and waits.
Result<UdpSent> send_udp(const VethEnd& from, const VethEnd& to, const UdpTraffic& traffic);

}  // namespace nettoll::live
