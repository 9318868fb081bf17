// SPDX-License-Identifier: Apache-2.0
// What the unpacking sources share: the piece of packed bytes at hand, and seeking by unpacking again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ingest/byte_source.h"

namespace nettoll {

class UnpackingSource : public ByteSource {
 public:
  Result<size_t> read(std::span<uint8_t> into) final {
    size_t filled = 0;
    while (filled < into.size() && !ended_) {
      auto got = unpack(into.subspan(filled));
      if (!got) return got;
      filled += *got;
    }
    offset_ += filled;
    return filled;
  }
  Status seek(uint64_t offset) final {
    if (offset < offset_) {
      if (auto back = packed_->seek(0); !back) return back;
      input_begin_ = input_end_ = 0;
      packed_ended_ = ended_ = false;
      damage_.clear();
      ending_ = Ending::whole;
      offset_ = 0;
      if (auto fine = restart(); !fine) return fine;
    }
    std::vector<uint8_t> skipped(std::min<uint64_t>(offset - offset_, kPiece));
    while (offset_ < offset && !ended_) {
      const size_t want = std::min<uint64_t>(offset - offset_, skipped.size());
      if (auto got = read({skipped.data(), want}); !got) return got.error();
    }
    return {};
  }
  uint64_t stored_bytes() const final { return packed_->stored_bytes(); }
  std::string damage() const final { return damage_; }
  Ending ending() const final { return ending_; }

 protected:
  static constexpr size_t kPiece = 64 << 10;

  explicit UnpackingSource(std::unique_ptr<ByteSource> packed) : packed_(std::move(packed)), input_(kPiece) {}

  /// Unpacks some bytes into `into`, maybe none; calls end() when there are no more.
  virtual Result<size_t> unpack(std::span<uint8_t> into) = 0;
  /// Forgets what was unpacked.
  virtual Status restart() = 0;

  /// The packed bytes at hand; reads more when there are none. Empty at the end of the file.
  Result<std::span<const uint8_t>> input() {
    if (input_begin_ == input_end_ && !packed_ended_) {
      const auto got = packed_->read(input_);
      if (!got) return got.error();
      input_begin_ = 0;
      input_end_ = *got;
      packed_ended_ = *got == 0;
    }
    return std::span<const uint8_t>(input_).subspan(input_begin_, input_end_ - input_begin_);
  }
  void used(size_t bytes) { input_begin_ += bytes; }
  void end(Ending ending = Ending::whole, std::string damage = {}) {
    ended_ = true;
    ending_ = ending;
    damage_ = std::move(damage);
  }

 private:
  std::unique_ptr<ByteSource> packed_;
  std::vector<uint8_t> input_;
  size_t input_begin_ = 0;
  size_t input_end_ = 0;
  uint64_t offset_ = 0;  ///< of unpacked bytes
  bool packed_ended_ = false;
  bool ended_ = false;
  std::string damage_;
  Ending ending_ = Ending::whole;
};

}  // namespace nettoll
