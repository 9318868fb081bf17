// SPDX-License-Identifier: Apache-2.0
// Frame to symbol number, fast.
#pragma once

#include <cstdint>
#include <vector>

namespace nettoll {

/// An address in a space and a CPU mode.
struct FrameKey {
  uint64_t address = 0;
  uint32_t space = 0;
  uint32_t mode = 0;  ///< CpuMode

  bool operator==(const FrameKey&) const = default;
};

/// An open-addressing hash table, at most half full.
class FrameCache {
 public:
  FrameCache() : slots_(1024) {}

  /// The number of a frame; where it is new, what `make()` gives.
  template <typename Make>
  uint32_t find_or(const FrameKey& key, Make make) {
    size_t i = slot_of(key);
    for (; slots_[i].used; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].key == key) return slots_[i].value;
    }
    const uint32_t value = make();
    if ((size_ + 1) * 2 > slots_.size()) {
      grow();
      i = slot_of(key);
      while (slots_[i].used) i = (i + 1) & (slots_.size() - 1);
    }
    slots_[i] = {key, value, true};
    ++size_;
    return value;
  }

 private:
  struct Slot {
    FrameKey key;
    uint32_t value = 0;
    bool used = false;
  };

  size_t slot_of(const FrameKey& key) const {
    const uint64_t mixed = (key.address ^ uint64_t{key.space} << 40 ^ key.mode) * 0x9E3779B97F4A7C15u;
    return (mixed >> 32) & (slots_.size() - 1);
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (!slot.used) continue;
      size_t i = slot_of(slot.key);
      while (slots_[i].used) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace nettoll
