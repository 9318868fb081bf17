// SPDX-License-Identifier: Apache-2.0
// Many call stacks in two arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nettoll {

/// Call stacks, each a run of frames, innermost first. One allocation for all frames keeps a batch of
/// thousands of stacks cheap to build and to walk.
template <typename Frame>
class StackTable {
 public:
  /// Makes room for what is about to be added.
  void reserve(size_t stacks, size_t frames) {
    frames_.reserve(frames);
    ends_.reserve(stacks);
  }
  /// Appends a stack and gives its index.
  uint32_t add(std::span<const Frame> stack) {
    frames_.insert(frames_.end(), stack.begin(), stack.end());
    ends_.push_back(static_cast<uint32_t>(frames_.size()));
    return static_cast<uint32_t>(ends_.size() - 1);
  }
  std::span<const Frame> operator[](size_t index) const {
    const uint32_t begin = index == 0 ? 0 : ends_[index - 1];
    return {frames_.data() + begin, ends_[index] - begin};
  }
  size_t size() const { return ends_.size(); }
  size_t frame_count() const { return frames_.size(); }
  void clear() {
    frames_.clear();
    ends_.clear();
  }
  bool operator==(const StackTable&) const = default;

 private:
  std::vector<Frame> frames_;
  std::vector<uint32_t> ends_;
};

}  // namespace nettoll
