// SPDX-License-Identifier: Apache-2.0
// Many short strings in a few large blocks.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace nettoll {

/// Strings that live as long as the arena, each named by a 32-bit offset. Blocks never move, so a string_view
/// stays valid when the arena grows or is moved, and growth copies nothing.
class NameArena {
 public:
  /// Small enough to come from the heap, so that a short table does not cost a mapping of its own.
  static constexpr size_t kBlock = size_t{1} << 16;
  /// The longest string that fits.
  static constexpr size_t kMaxLength = 4095;

  /// Copies `text` (at most kMaxLength bytes, no NUL) and gives its offset.
  uint32_t add(std::string_view text) {
    if (blocks_.empty() || used_ + text.size() + 1 > kBlock) {
      // The storage is left as it is: pages that no name reaches are never made resident.
      blocks_.emplace_back(new char[kBlock]);
      used_ = 0;
    }
    char* at = blocks_.back().get() + used_;
    std::memcpy(at, text.data(), text.size());
    at[text.size()] = '\0';
    const size_t offset = (blocks_.size() - 1) * kBlock + used_;
    used_ += text.size() + 1;
    return static_cast<uint32_t>(offset);
  }
  std::string_view operator[](uint32_t offset) const {
    return blocks_[offset / kBlock].get() + offset % kBlock;
  }
  size_t bytes() const { return blocks_.empty() ? 0 : (blocks_.size() - 1) * kBlock + used_; }
  /// Whether another name of any length can still be given a 32-bit offset.
  bool has_room() const { return blocks_.size() < (size_t{1} << 32) / kBlock; }

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t used_ = 0;
};

}  // namespace nettoll
