// SPDX-License-Identifier: Apache-2.0
// Samples summed while they are read, so that memory follows the different stacks and not the samples.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "model/event.h"

namespace nettoll {

/// Sums by (event, CPU, stack). A stack is a run of symbol numbers.
///
/// Adding a sample hashes its words once and touches two tables; nothing is allocated for a stack that is
/// known. Words lie in pieces, so growing copies none and takes no second copy for a while.
class StackTally {
 public:
  StackTally();

  void add(uint32_t event, uint32_t cpu, std::span<const uint32_t> stack, uint64_t period);

  size_t stacks() const { return stacks_.size(); }
  std::span<const uint32_t> stack(size_t index) const { return {stacks_[index].words, stacks_[index].size}; }
  /// One row for each (event, CPU, stack), in order of first appearance. Taken once, at the end.
  std::vector<StackSamples> take_rows() { return std::move(rows_); }
  /// Bytes held.
  uint64_t memory_bytes() const;

 private:
  struct Stack {
    const uint32_t* words;
    uint32_t size;
    uint32_t hash;
  };

  uint32_t intern(std::span<const uint32_t> stack);
  const uint32_t* keep(std::span<const uint32_t> stack);
  void grow_stacks();
  void grow_rows();

  std::vector<std::unique_ptr<uint32_t[]>> pieces_;
  size_t piece_left_ = 0;
  uint64_t piece_words_ = 0;
  std::vector<Stack> stacks_;
  std::vector<uint32_t> stack_slots_;  ///< 1 + index into stacks_, 0 is free; at most half full
  std::vector<StackSamples> rows_;
  std::vector<uint32_t> row_slots_;  ///< the same into rows_
};

}  // namespace nettoll
