// SPDX-License-Identifier: Apache-2.0
// One window as collected: addresses, not names.
#pragma once

#include <cstdint>
#include <vector>

#include "model/event.h"
#include "model/exact.h"
#include "model/function.h"
#include "model/net.h"
#include "model/stack_table.h"

namespace nettoll {

/// Frames that are no kernel address. No kernel has code in the first page.
inline constexpr uint64_t kUserFrame = 1;   ///< the CPU was in user mode
inline constexpr uint64_t kGuestFrame = 2;  ///< the CPU ran a guest of its own

/// Frame 1 of a stack may be what the link register held, which is the caller of frame 0 or an address in
/// frame 0 itself: who knows functions has to tell. Kernel addresses have the highest bit set; these have it
/// cleared.
inline constexpr uint64_t as_link_frame(uint64_t address) {
  return address & ~(uint64_t{1} << 63);
}
inline constexpr bool is_link_frame(uint64_t frame) {
  return frame > kGuestFrame && frame >> 63 == 0;
}
inline constexpr uint64_t address_of_link_frame(uint64_t frame) {
  return frame | uint64_t{1} << 63;
}

/// Everything between two reads. All counts are differences over the window; a thing that was not measured
/// has no row.
struct RawBatch {
  uint64_t start_ns = 0;  ///< CLOCK_MONOTONIC
  uint64_t end_ns = 0;
  StackTable<uint64_t> stacks;  ///< addresses; frame 0 is where the CPU was, frame 1 may be a link frame, the
                                ///< rest are return addresses
  std::vector<StackSamples> samples;
  std::vector<EventCount> counts;
  std::vector<FunctionCalls> calls;
  std::vector<PathPackets> packets;
  std::vector<NapiPolls> napi;
  std::vector<QueuePackets> queues;
  std::vector<SoftirqTime> softirqs;
  std::vector<RawDrops> drops;
  std::vector<ExactCost> exact;  ///< rows of a function stand together, the time first
  std::vector<Loss> losses;
};

}  // namespace nettoll
