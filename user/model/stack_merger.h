// SPDX-License-Identifier: Apache-2.0
// Sums what becomes equal when addresses become names.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/event.h"
#include "model/stack_table.h"

namespace nettoll {

/// A stack table in which each stack occurs once. The same function is on stacks at many addresses, so naming
/// makes many stacks equal.
class StackMerger {
 public:
  /// `stacks` and `frames` are how many will be added at most.
  StackMerger(size_t stacks, size_t frames);

  /// The number of `stack` in the table; it is added where it is new.
  uint32_t add(std::span<const uint32_t> stack);
  /// By stack: whether it was added more than once.
  const std::vector<uint8_t>& repeated() const { return repeated_; }
  StackTable<uint32_t> take() { return std::move(table_); }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t stack = kEmpty;
  };
  static constexpr uint32_t kEmpty = UINT32_MAX;

  StackTable<uint32_t> table_;
  std::vector<uint8_t> repeated_;
  std::vector<Slot> slots_;
};

/// Rows with the same event, CPU and stack made one, in order of first appearance. Only rows whose stack
/// `may_repeat` (by stack number) are looked at: all others are known to be alone.
std::vector<StackSamples> merge_rows(std::vector<StackSamples> rows, std::span<const uint8_t> may_repeat);

}  // namespace nettoll
