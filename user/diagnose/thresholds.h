// SPDX-License-Identifier: Apache-2.0
// From where on something counts as found. Where no source is named the number is a choice: it is set so that
// chance and ordinary traffic stay below it.
#pragma once

#include <cstdint>

namespace nettoll::threshold {

/// Fewer packets than this, or a lower rate, cannot show how load spreads: a handful of flows falls anywhere.
inline constexpr double kPackets = 1000;
inline constexpr double kPacketsPerSecond = 100;
/// Interrupts that are enough to see which CPU serves a vector.
inline constexpr double kInterrupts = 100;

/// One queue with this part of a device's packets has its load; hashing a hundred flows over two queues gives
/// one of them that much once in 10^9.
inline constexpr double kOneQueue = 0.8;
/// The same for fields of the hash, on devices of at least `kManyQueues` queues: a few pairs of addresses
/// gather on few queues.
inline constexpr double kSkewed = 0.5;
inline constexpr uint32_t kManyQueues = 4;
/// What the queues beside a hot one must have together to show that the hash does reach them: packets, or a
/// part of the interrupts, since drivers raise some on idle queues too.
inline constexpr double kBesidePackets = 100, kBesideInterrupts = 0.01;
/// A queue of the indirection table has too many buckets from this multiple of the mean on. The kernel's own
/// spread (ethtool_rxfh_indir_default) differs by one bucket.
inline constexpr double kUnevenTable = 1.5;
/// A queue or vector takes part from this part of an even share on.
inline constexpr double kTakesPart = 0.2;
/// One CPU serves a vector, or a device, with this part of it.
inline constexpr double kServes = 0.8;
inline constexpr double kAllOnOneCpu = 0.9;
/// Work on other NUMA nodes. An even spread over two nodes has half of it there, which is the default.
inline constexpr double kOffNode = 0.75;

/// Part of a CPU's time in receive work: the CPU is the limit soon, or has none left.
inline constexpr double kHot = 0.5;
inline constexpr double kSaturated = 0.9;
/// Receive work must be this part of softirq time for the network to be its cause.
inline constexpr double kMostOfSoftirq = 0.5;

/// RPS costs an interrupt between CPUs for a batch, so it pays at high rates alone
/// (Documentation/networking/scaling.rst).
inline constexpr double kRpsPacketsPerSecond = 10'000;
/// Interrupts a second of one device, and interrupts a packet, that show no coalescing.
inline constexpr double kStormPerSecond = 20'000;
inline constexpr double kStormPerPacket = 0.5;
/// Part of a host's segments that one protocol needs to have a say.
inline constexpr double kProtocolPart = 0.2;

/// net_rx_action gave up with work left: as a rate, and as part of its runs.
inline constexpr double kSqueezesPerSecond = 10;
inline constexpr double kSqueezesPerRun = 0.05;
inline constexpr double kManySqueezesPerRun = 0.25;

/// Loss: what makes it a warning, and critical.
inline constexpr double kLossPart = 0.0001, kMuchLossPart = 0.001;
inline constexpr double kLossPerSecond = 1, kMuchLossPerSecond = 100;
/// Of a queueing discipline, which drops some packets on purpose.
inline constexpr double kMuchQdiscPart = 0.01;
/// Drops of a reason: a storm from this rate on where it is also `kStormPart` of the packets, or from
/// `kStormOutright` on whatever they are of.
inline constexpr double kDropStorm = 100, kDropStormPart = 0.01, kDropStormOutright = 1000;
/// Bytes waiting in a socket that are too many for a short burst to be why.
inline constexpr uint64_t kHugeBuffer = 16u << 20;

/// Cost per packet of a CPU against the others: both must be exceeded.
inline constexpr double kCostRatio = 1.5, kStandardErrors = 3;
/// A CPU's part of the packets from which on its cost matters.
inline constexpr double kCostPart = 0.02;
/// Part of the receive path's cost that is spent waiting for locks.
inline constexpr double kLock = 0.1, kMuchLock = 0.25;

}  // namespace nettoll::threshold
