// SPDX-License-Identifier: Apache-2.0
#include "ingest/stack_tally.h"

#include <algorithm>

namespace nettoll {
namespace {

constexpr size_t kFirstSlots = 1024;
constexpr size_t kFirstPieceWords = 1 << 10;
constexpr size_t kPieceWords = 64 << 10;

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 32;
}

uint64_t hash_of(std::span<const uint32_t> words) {
  uint64_t hash = words.size();
  size_t i = 0;
  for (; i + 1 < words.size(); i += 2) hash = mix(hash, uint64_t{words[i]} << 32 | words[i + 1]);
  if (i < words.size()) hash = mix(hash, words[i]);
  return hash;
}

uint64_t hash_of(const StackSamples& row) {
  return mix(mix(row.stack, row.cpu), row.event);
}

}  // namespace

StackTally::StackTally() : stack_slots_(kFirstSlots), row_slots_(kFirstSlots) {}

void StackTally::add(uint32_t event, uint32_t cpu, std::span<const uint32_t> stack, uint64_t period) {
  const StackSamples row{event, cpu, intern(stack), 1, period};
  if ((rows_.size() + 1) * 2 > row_slots_.size()) grow_rows();
  const size_t mask = row_slots_.size() - 1;
  for (size_t i = hash_of(row) & mask;; i = (i + 1) & mask) {
    if (row_slots_[i] == 0) {
      rows_.push_back(row);
      row_slots_[i] = static_cast<uint32_t>(rows_.size());
      return;
    }
    StackSamples& sum = rows_[row_slots_[i] - 1];
    if (sum.stack != row.stack || sum.cpu != row.cpu || sum.event != row.event) continue;
    ++sum.samples;
    sum.period += period;
    return;
  }
}

uint32_t StackTally::intern(std::span<const uint32_t> stack) {
  if ((stacks_.size() + 1) * 2 > stack_slots_.size()) grow_stacks();
  const uint64_t hash = hash_of(stack);
  const auto check = static_cast<uint32_t>(hash >> 32);
  const size_t mask = stack_slots_.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    if (stack_slots_[i] == 0) {
      stacks_.push_back({keep(stack), static_cast<uint32_t>(stack.size()), check});
      stack_slots_[i] = static_cast<uint32_t>(stacks_.size());
      return stack_slots_[i] - 1;
    }
    const Stack& known = stacks_[stack_slots_[i] - 1];
    if (known.hash == check && std::equal(stack.begin(), stack.end(), known.words, known.words + known.size))
      return stack_slots_[i] - 1;
  }
}

const uint32_t* StackTally::keep(std::span<const uint32_t> stack) {
  if (stack.empty()) return nullptr;
  if (stack.size() > piece_left_) {
    const size_t usual = std::min(kFirstPieceWords << std::min<size_t>(pieces_.size(), 6), kPieceWords);
    const size_t words = std::max(stack.size(), usual);
    pieces_.push_back(std::make_unique_for_overwrite<uint32_t[]>(words));
    piece_words_ += words;
    piece_left_ = words;
  }
  // A piece is filled from its end, so that what is left says where.
  piece_left_ -= stack.size();
  uint32_t* const place = pieces_.back().get() + piece_left_;
  std::copy(stack.begin(), stack.end(), place);
  return place;
}

void StackTally::grow_stacks() {
  stack_slots_.assign(stack_slots_.size() * 2, 0);
  const size_t mask = stack_slots_.size() - 1;
  for (size_t index = 0; index < stacks_.size(); ++index) {
    size_t i = hash_of(stack(index)) & mask;
    while (stack_slots_[i] != 0) i = (i + 1) & mask;
    stack_slots_[i] = static_cast<uint32_t>(index + 1);
  }
}

void StackTally::grow_rows() {
  row_slots_.assign(row_slots_.size() * 2, 0);
  const size_t mask = row_slots_.size() - 1;
  for (size_t index = 0; index < rows_.size(); ++index) {
    size_t i = hash_of(rows_[index]) & mask;
    while (row_slots_[i] != 0) i = (i + 1) & mask;
    row_slots_[i] = static_cast<uint32_t>(index + 1);
  }
}

uint64_t StackTally::memory_bytes() const {
  return piece_words_ * sizeof(uint32_t) + stacks_.capacity() * sizeof(Stack) +
         (stack_slots_.capacity() + row_slots_.capacity()) * sizeof(uint32_t) +
         rows_.capacity() * sizeof(StackSamples);
}

}  // namespace nettoll
