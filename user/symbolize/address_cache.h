// SPDX-License-Identifier: Apache-2.0
// Address to symbol number, fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nettoll {

/// An open-addressing hash table from a nonzero address to a number; at most half full, so a hit is
/// nearly always one probe.
class AddressCache {
 public:
  static constexpr uint32_t kAbsent = UINT32_MAX;

  AddressCache() : slots_(1024) {}

  uint32_t find(uint64_t address) const {
    for (size_t i = slot_of(address);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].address == address) return slots_[i].value;
      if (slots_[i].address == 0) return kAbsent;
    }
  }
  /// Adds an address that find() did not have.
  void insert(uint64_t address, uint32_t value) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    place({address, value});
    ++size_;
  }
  size_t size() const { return size_; }
  void clear() { *this = AddressCache(); }

 private:
  struct Slot {
    uint64_t address = 0;
    uint32_t value = kAbsent;
  };

  size_t slot_of(uint64_t address) const {
    // Fibonacci hashing: the high bits of the product depend on all bits of the address.
    return (address * 0x9E3779B97F4A7C15u) >> 32 & (slots_.size() - 1);
  }
  void place(const Slot& slot) {
    size_t i = slot_of(slot.address);
    while (slots_[i].address != 0) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.address != 0) place(slot);
    }
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace nettoll
