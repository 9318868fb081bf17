// SPDX-License-Identifier: Apache-2.0
#include "collect/stack_aggregator.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace nettoll {
namespace {

constexpr size_t kFirstSlots = 64;
constexpr uint32_t kNone = UINT32_MAX;

/// The 128-bit product folded to 64 bits: one multiplication mixes all bits of both (as wyhash does).
uint64_t mix(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

constexpr uint64_t kSeed1 = 0x9e3779b97f4a7c15;
constexpr uint64_t kSeed2 = 0xd1b54a32d192ed03;

uint64_t hash_stack(uint64_t ip, std::span<const uint64_t> callers) {
  // Two lanes, so that one multiplication need not wait for the other.
  uint64_t a = mix(ip ^ kSeed1, kSeed2), b = callers.size() + kSeed2;
  size_t i = 0;
  for (; i + 4 <= callers.size(); i += 4) {
    a = mix(callers[i] ^ kSeed1 ^ a, callers[i + 1] ^ kSeed2);
    b = mix(callers[i + 2] ^ kSeed1 ^ b, callers[i + 3] ^ kSeed2);
  }
  for (; i < callers.size(); ++i) a = mix(callers[i] ^ kSeed1 ^ a, kSeed2);
  return mix(a ^ kSeed1, b ^ kSeed2);
}

uint64_t hash_row(uint32_t event, uint32_t stack) {
  return mix((uint64_t{event} << 32 | stack) ^ kSeed1, kSeed2);
}

uint32_t tag_of(uint64_t hash) {
  return static_cast<uint32_t>(hash >> 32);
}

/// Walks the probe sequence of `hash` and gives the slot where `equal(index)` holds, or the free one that
/// ends it. The table has free slots: it is doubled when half full.
template <typename Slots, typename Equal>
auto& probe(Slots& slots, uint64_t hash, Equal equal) {
  const size_t mask = slots.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    auto& slot = slots[at];
    if (slot.index == 0 || (slot.tag == tag_of(hash) && equal(slot.index - 1))) return slot;
  }
}

/// Counts one more entry and keeps half of the slots free; `hash_of(index)` gives each entry's hash again.
template <typename Table, typename HashOf>
void grow(Table& table, HashOf hash_of) {
  if (++table.used * 2 < table.slots.size()) return;
  decltype(table.slots) bigger(table.slots.size() * 2);
  for (const auto& slot : table.slots) {
    if (slot.index == 0) continue;
    probe(bigger, hash_of(slot.index - 1), [](uint32_t) { return false; }) = slot;
  }
  table.slots = std::move(bigger);
}

/// Empties a table that was used and keeps its memory.
template <typename Table>
void clear(Table& table) {
  if (table.used != 0)
    std::fill(table.slots.begin(), table.slots.end(), typename decltype(table.slots)::value_type{});
  table.used = 0;
}

}  // namespace

StackAggregator::StackAggregator(AggregatorLimits limits) : limits_(limits) {
  stack_table_.slots.resize(kFirstSlots);
}

void StackAggregator::add(uint32_t event, uint32_t cpu, uint64_t period, uint64_t ip,
                          std::span<const uint64_t> callers) {
  const uint32_t stack = intern(ip, callers);
  StackSamples* row = stack == kNone ? nullptr : find_row(event, cpu, stack);
  if (row) {
    ++row->samples;
    row->period += period;
    return;
  }
  if (overflow_.size() <= event) overflow_.resize(event + 1);
  ++overflow_[event];
}

uint32_t StackAggregator::intern(uint64_t ip, std::span<const uint64_t> callers) {
  const uint64_t hash = hash_stack(ip, callers);
  Slot& slot = probe(stack_table_.slots, hash, [&](uint32_t index) {
    const auto known = stacks_[index];
    return known.size() == callers.size() + 1 && known[0] == ip &&
           std::equal(callers.begin(), callers.end(), known.begin() + 1);
  });
  if (slot.index != 0) return slot.index - 1;
  if (stacks_.size() >= limits_.stacks || stacks_.frame_count() + callers.size() + 1 > limits_.frames)
    return kNone;
  scratch_.assign(1, ip);
  scratch_.insert(scratch_.end(), callers.begin(), callers.end());
  const uint32_t index = stacks_.add(scratch_);
  stack_hashes_.push_back(hash);
  slot = {tag_of(hash), index + 1};
  grow(stack_table_, [&](uint32_t i) { return stack_hashes_[i]; });
  return index;
}

StackSamples* StackAggregator::find_row(uint32_t event, uint32_t cpu, uint32_t stack) {
  if (row_tables_.size() <= cpu) row_tables_.resize(cpu + 1);
  Table& table = row_tables_[cpu];
  if (table.slots.empty()) table.slots.resize(kFirstSlots);
  const uint64_t hash = hash_row(event, stack);
  Slot& slot = probe(table.slots, hash, [&](uint32_t index) {
    const StackSamples& row = rows_[index];
    return row.stack == stack && row.event == event;
  });
  if (slot.index != 0) return &rows_[slot.index - 1];
  if (rows_.size() >= limits_.rows) return nullptr;
  rows_.push_back({event, cpu, stack, 0, 0});
  slot = {tag_of(hash), static_cast<uint32_t>(rows_.size())};
  grow(table, [&](uint32_t i) { return hash_row(rows_[i].event, rows_[i].stack); });
  return &rows_.back();
}

void StackAggregator::take(RawBatch& batch) {
  if (batch.stacks.size() == 0 && batch.samples.empty()) {
    // The usual case: the batch's memory of the tick before comes back for the next.
    std::swap(batch.stacks, stacks_);
    std::swap(batch.samples, rows_);
  } else {
    const auto offset = static_cast<uint32_t>(batch.stacks.size());
    for (size_t i = 0; i < stacks_.size(); ++i) batch.stacks.add(stacks_[i]);
    for (StackSamples row : rows_) {
      row.stack += offset;
      batch.samples.push_back(row);
    }
  }
  stacks_.clear();
  rows_.clear();
  stack_hashes_.clear();
  overflow_.clear();
  clear(stack_table_);
  for (Table& table : row_tables_) clear(table);
}

}  // namespace nettoll
