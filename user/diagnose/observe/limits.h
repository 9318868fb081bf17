// SPDX-License-Identifier: Apache-2.0
// From where on a share is worth an observation, and why there. deploy/docs/observations.md has the same
// table.
//
// Most shares compare work that a set-up can do without to the rest of a packet's way. One of 5% pays for a
// look: the work's removal changes throughput by more than runs differ. Lower limits are for work that has no
// use for the traffic at hand, higher ones for work that cannot go away.
#pragma once

#include <cstdint>

namespace nettoll::limit {

/// Standard errors that a share must stand above its limit. 2 leave one false observation in 40 where the
/// truth lies just below.
inline constexpr double kErrorBar = 2;

struct Limit {
  double from;  ///< an observation
  double much;  ///< one that is a warning
};

/// Freeing a packet is a twentieth of its way or less, so 2% say that a good part of the packets is dropped.
inline constexpr Limit kDrops{0.02, 0.10};
/// Where misses follow time, receive work has no more of them than its part of the time. Both must hold: a
/// third of all misses, and a quarter more than its time.
inline constexpr Limit kMisses{0.30, 0.50};
inline constexpr double kMissesToTime = 1.25;
/// An uncontended lock never gets to its slow path.
inline constexpr Limit kLockWait{0.05, 0.20};
/// Taking a free lock is one atomic instruction, a percent or two of a packet's way.
inline constexpr Limit kLockTake{0.05, 0.20};
/// Per-CPU fast paths serve nearly all allocations of a steady load.
inline constexpr Limit kSlab{0.05, 0.15};
inline constexpr Limit kPageLists{0.05, 0.15};
/// A host with memory to spare does neither.
inline constexpr Limit kReclaim{0.02, 0.10};
inline constexpr Limit kCompaction{0.02, 0.10};
/// Devices sum for nothing: a kernel that lets them does only headers, below 1%.
inline constexpr Limit kChecksum{0.03, 0.15};
/// Programs must get their data: a sound receiver of long packets copies a tenth to a fifth of its time.
inline constexpr Limit kUserCopy{0.20, 0.50};
/// Packets are passed by reference through the kernel; what copies them is an exception.
inline constexpr Limit kPacketCopy{0.05, 0.15};
/// Nobody has to listen: 2% are a socket that sees every packet.
inline constexpr Limit kTap{0.02, 0.10};
inline constexpr Limit kConntrack{0.05, 0.20};
/// A few dozen rules stay below it.
inline constexpr Limit kFilter{0.05, 0.20};
/// Each hardening is small on its own; 1% is what a setting changes measurably.
inline constexpr Limit kTax{0.01, 0.05};
inline constexpr Limit kAllTax{0.05, 0.15};
/// The entry code cannot go away, only what mitigations add to it.
inline constexpr Limit kEntry{0.05, 0.20};

/// Below 320 samples a share of 5% has 16 or fewer, so its error is a quarter of it; below 100 no share under
/// a sixth can be told.
inline constexpr uint64_t kThin = 320, kVeryThin = 100;
/// Samples that are lost are not lost evenly, they go where the load is: from 1% on small shares are in
/// doubt, from 10% on all.
inline constexpr Limit kLost{0.01, 0.10};
/// Kernel samples of one frame. Entry code has no caller; that is less than 10%.
inline constexpr Limit kNoChain{0.10, 0.50};
/// Kernel samples whose chain cannot be. Where one in a hundred shows it, more are wrong unseen.
inline constexpr Limit kGarbled{0.01, 0.10};
/// Kernel samples where interrupts are enabled again. Enabling them takes next to nothing itself.
inline constexpr Limit kBlind{0.05, 0.40};

}  // namespace nettoll::limit
