// SPDX-License-Identifier: Apache-2.0
// What sampling lost, by cause and event.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/event.h"
#include "model/net.h"

namespace nettoll {

/// Counts losses between two reads.
class SampleLosses {
 public:
  void ring_full(uint32_t event, uint64_t count);
  /// Lost in a ring whose events do not know their own share (before PERF_FORMAT_LOST).
  void ring_full_any(uint64_t count) { any_ += count; }
  void throttled(uint32_t event);
  void stack_table(std::span<const uint64_t> by_event);
  void unmatched(uint64_t count = 1) { unmatched_ += count; }

  /// Appends a row for each loss that is not 0, named by its event ("all events" where the event
  /// is not known), and starts anew.
  void take(std::span<const Event> events, std::vector<Loss>& losses);

 private:
  std::vector<uint64_t> ring_full_;
  std::vector<uint64_t> throttled_;
  std::vector<uint64_t> stack_table_;
  uint64_t any_ = 0;
  uint64_t unmatched_ = 0;
};

}  // namespace nettoll
