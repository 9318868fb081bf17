// SPDX-License-Identifier: Apache-2.0
// Text on its way to a sink, in large pieces.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "base/byte_sink.h"

namespace nettoll {

/// Gathers text and writes it piece by piece, so that an export never stands in memory as a whole. After an
/// error of the sink nothing more is written; finish() gives it.
class BufferedOut {
 public:
  explicit BufferedOut(ByteSink& sink) : sink_(sink) {}

  void put(std::string_view text) {
    buffer_ += text;
    flush_if_full();
  }
  template <typename... Args>
  void format(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), text, std::forward<Args>(args)...);
    flush_if_full();
  }
  /// Writes the rest. To be called once, at the end.
  Status finish() {
    flush();
    return status_;
  }

 private:
  static constexpr size_t kPiece = 64 << 10;

  void flush_if_full() {
    if (buffer_.size() >= kPiece) flush();
  }
  void flush() {
    if (status_ && !buffer_.empty()) status_ = sink_.write(buffer_);
    buffer_.clear();
  }

  ByteSink& sink_;
  std::string buffer_;
  Status status_;
};

}  // namespace nettoll
