// SPDX-License-Identifier: Apache-2.0
#include "ingest/byte_window.h"

#include <algorithm>
#include <cstring>

namespace nettoll {

void ByteWindow::enlarge() {
  const size_t larger_size = std::max(size_ * 2, kPiece);
  auto larger = std::make_unique_for_overwrite<uint8_t[]>(larger_size);
  std::memcpy(larger.get(), buffer_.get(), end_);
  buffer_ = std::move(larger);
  size_ = larger_size;
}

void ByteWindow::fill(size_t wanted) {
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  while (end_ < wanted && !ended_) {
    if (end_ == size_ || (full_ && size_ < kPiece)) enlarge();
    const auto got = source_.read({buffer_.get() + end_, size_ - end_});
    if (!got) status_ = got.error();
    ended_ = !got || *got == 0;
    if (got) end_ += *got;
    full_ = end_ == size_;
  }
}

uint64_t ByteWindow::skip(uint64_t bytes) {
  uint64_t left = bytes;
  while (left > 0) {
    const auto here = peek(1);
    if (here.empty()) break;
    const auto part = static_cast<size_t>(std::min<uint64_t>(left, here.size()));
    consume(part);
    left -= part;
  }
  return bytes - left;
}

Status ByteWindow::seek(uint64_t offset) {
  begin_ = end_ = 0;
  ended_ = false;
  offset_ = offset;
  return source_.seek(offset);
}

}  // namespace nettoll
