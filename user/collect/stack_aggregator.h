// SPDX-License-Identifier: Apache-2.0
// Sums samples with the same event, CPU and call stack, and stores each stack once.
//
// A tick of 256 CPUs at 99 Hz with 5 events is 126,000 samples of some 25 frames. Open-addressing tables with
// linear probing find the stack, then the row. Each CPU has a table of rows of its own: rings are read CPU by
// CPU, so the one in use stays in the cache. tests/bench/aggregator_bench.cc measures it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/raw_batch.h"

namespace nettoll {

/// What the aggregator may grow to. The defaults come to about 32 MB when all are full; it grows as needed.
struct AggregatorLimits {
  uint32_t stacks = 1 << 16;
  uint32_t frames = 1 << 21;
  uint32_t rows = 1 << 18;
};

/// Aggregates between two takes.
class StackAggregator {
 public:
  explicit StackAggregator(AggregatorLimits limits = {});

  /// Adds one sample. When a limit is reached, a sample that needs a new stack or row is counted as
  /// overflow of its event; those that fit what is there still count.
  void add(uint32_t event, uint32_t cpu, uint64_t period, uint64_t ip, std::span<const uint64_t> callers);

  /// Samples that found no room since the last take, by event index (may be shorter than the event list).
  std::span<const uint64_t> overflow() const { return overflow_; }

  /// Moves stacks and rows to the batch (appending, should it hold some already) and starts anew, with
  /// the tables' memory kept.
  void take(RawBatch& batch);

  size_t row_count() const { return rows_.size(); }
  size_t stack_count() const { return stacks_.size(); }

 private:
  /// One place of a table: the index + 1 of what it refers to, 0 if free, and bits of the hash that spare
  /// most comparisons.
  struct Slot {
    uint32_t tag = 0;
    uint32_t index = 0;
  };
  /// A power of two of slots, or none before the first use.
  struct Table {
    std::vector<Slot> slots;
    size_t used = 0;
  };

  uint32_t intern(uint64_t ip, std::span<const uint64_t> callers);
  StackSamples* find_row(uint32_t event, uint32_t cpu, uint32_t stack);

  AggregatorLimits limits_;
  StackTable<uint64_t> stacks_;
  std::vector<uint64_t> stack_hashes_;
  std::vector<StackSamples> rows_;
  Table stack_table_;
  std::vector<Table> row_tables_;  ///< by CPU
  std::vector<uint64_t> overflow_;
  std::vector<uint64_t> scratch_;
};

}  // namespace nettoll
