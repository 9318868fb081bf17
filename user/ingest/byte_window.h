// SPDX-License-Identifier: Apache-2.0
// A window that moves over the bytes of a capture.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "ingest/byte_source.h"

namespace nettoll {

/// Bytes of a source, looked at where they lie in one buffer. The buffer grows with bytes that are there,
/// never with what a size in a file claims, and starts small: most of the time that the reader of a small
/// capture takes would go into getting a large one from the kernel.
class ByteWindow {
 public:
  explicit ByteWindow(ByteSource& source)
      : source_(source), buffer_(std::make_unique_for_overwrite<uint8_t[]>(kFirstPiece)) {}

  /// The next bytes: at least `wanted` of them, fewer only where the capture ends or cannot be read. They
  /// stay until the next call that is not const.
  std::span<const uint8_t> peek(size_t wanted) {
    if (end_ - begin_ < wanted && !ended_) fill(wanted);
    return {buffer_.get() + begin_, end_ - begin_};
  }
  /// Leaves bytes behind that peek() gave.
  void consume(size_t bytes) {
    begin_ += bytes;
    offset_ += bytes;
  }
  /// Leaves any number of bytes behind; gives how many there were.
  uint64_t skip(uint64_t bytes);
  /// Goes to another place.
  Status seek(uint64_t offset);
  /// Where the window begins.
  uint64_t offset() const { return offset_; }
  /// The error that ended reading early, if there was one.
  const Status& status() const { return status_; }

 private:
  static constexpr size_t kFirstPiece = 8 << 10;
  /// What is read at a time of a long capture.
  static constexpr size_t kPiece = 128 << 10;

  void fill(size_t wanted);
  void enlarge();

  ByteSource& source_;
  std::unique_ptr<uint8_t[]> buffer_;
  size_t size_ = kFirstPiece;  ///< of the buffer
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t offset_ = 0;
  bool ended_ = false;
  bool full_ = false;  ///< the last read filled the buffer, so more is likely to follow
  Status status_;
};

}  // namespace nettoll
