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

/// Everything between two reads. All counts are differences over the window; a thing that was not measured
/// has no row.
struct RawBatch {
  uint64_t start_ns = 0;  ///< CLOCK_MONOTONIC
  uint64_t end_ns = 0;
  StackTable<uint64_t> stacks;  ///< addresses; frame 0 is where the CPU was, the rest are return addresses
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
