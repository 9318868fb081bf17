// SPDX-License-Identifier: Apache-2.0
#include "model/stack_merger.h"

#include <algorithm>
#include <bit>

namespace nettoll {
namespace {

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 32;
}

uint64_t hash_of(std::span<const uint32_t> stack) {
  uint64_t hash = stack.size();
  size_t i = 0;
  for (; i + 1 < stack.size(); i += 2) hash = mix(hash, uint64_t{stack[i]} << 32 | stack[i + 1]);
  if (i < stack.size()) hash = mix(hash, stack[i]);
  return hash;
}

/// Slots for a table that is at most half full.
size_t slots_for(size_t entries) {
  return std::bit_ceil(std::max<size_t>(entries * 2, 16));
}

}  // namespace

StackMerger::StackMerger(size_t stacks, size_t frames) : slots_(slots_for(stacks)) {
  table_.reserve(stacks, frames);
  repeated_.reserve(stacks);
}

uint32_t StackMerger::add(std::span<const uint32_t> stack) {
  const uint64_t hash = hash_of(stack);
  const auto check = static_cast<uint32_t>(hash >> 32);
  for (size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
    Slot& slot = slots_[i];
    if (slot.stack == kEmpty) {
      slot = {check, table_.add(stack)};
      repeated_.push_back(0);
      return slot.stack;
    }
    if (slot.hash == check && std::ranges::equal(table_[slot.stack], stack)) {
      repeated_[slot.stack] = 1;
      return slot.stack;
    }
  }
}

std::vector<StackSamples> merge_rows(std::vector<StackSamples> rows, std::span<const uint8_t> may_repeat) {
  constexpr uint32_t kEmpty = UINT32_MAX;
  std::vector<uint32_t> slots(slots_for(rows.size()), kEmpty);
  size_t kept = 0;
  for (size_t row = 0; row < rows.size(); ++row) {
    const StackSamples from = rows[row];
    if (may_repeat[from.stack]) {
      size_t i = mix(mix(from.stack, from.cpu), from.event) & (slots.size() - 1);
      const auto same = [&](const StackSamples& to) {
        return to.stack == from.stack && to.cpu == from.cpu && to.event == from.event;
      };
      while (slots[i] != kEmpty && !same(rows[slots[i]])) i = (i + 1) & (slots.size() - 1);
      if (slots[i] != kEmpty) {
        rows[slots[i]].samples += from.samples;
        rows[slots[i]].period += from.period;
        continue;
      }
      slots[i] = static_cast<uint32_t>(kept);
    }
    rows[kept++] = from;
  }
  rows.resize(kept);
  return rows;
}

}  // namespace nettoll
