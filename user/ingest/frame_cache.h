// SPDX-License-Identifier: Apache-2.0
// Frame to symbol number, fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nettoll {

/// An address in a space, and how it was met (a number below 16).
struct FrameKey {
  uint64_t address = 0;
  uint32_t space = 0;  ///< below 2^28
  uint8_t way = 0;
};

/// An open-addressing hash table, at most half full. A slot has 16 bytes: four of them share a cache line.
class FrameCache {
 public:
  FrameCache() : slots_(1024) {}

  /// The number of a frame; where it is new, what `make()` gives.
  template <typename Make>
  uint32_t find_or(const FrameKey& key, Make make) {
    const uint32_t where = key.space << 4 | key.way;
    size_t i = slot_of(key.address, where);
    for (; slots_[i].value != 0; i = next(i)) {
      if (slots_[i].address == key.address && slots_[i].where == where) return slots_[i].value - 1;
    }
    const uint32_t value = make();
    if ((size_ + 1) * 2 > slots_.size()) grow();
    place({key.address, where, value + 1});
    ++size_;
    return value;
  }
  uint64_t memory_bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    uint64_t address = 0;
    uint32_t where = 0;
    uint32_t value = 0;  ///< 1 + the number, 0 is free
  };

  size_t slot_of(uint64_t address, uint32_t where) const {
    return ((address ^ uint64_t{where} << 36) * 0x9E3779B97F4A7C15u >> 32) & (slots_.size() - 1);
  }
  size_t next(size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  void place(const Slot& slot) {
    size_t i = slot_of(slot.address, slot.where);
    while (slots_[i].value != 0) i = next(i);
    slots_[i] = slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.value != 0) place(slot);
    }
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace nettoll
