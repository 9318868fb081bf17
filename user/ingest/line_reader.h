// SPDX-License-Identifier: Apache-2.0
// Lines of a text of any length.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "ingest/byte_window.h"

namespace nettoll {

/// Gives one line after the other, without its end. A line longer than kLongest is given up to there; the
/// rest of it is left out and counted.
class LineReader {
 public:
  static constexpr size_t kLongest = 256 << 10;

  explicit LineReader(ByteWindow& window) : window_(window) {}

  /// The next line, or nothing at the end. It stays until the next call.
  std::optional<std::string_view> next() {
    window_.consume(consumed_next_);
    consumed_next_ = 0;
    size_t wanted = 1;
    for (;;) {
      const auto bytes = window_.peek(wanted);
      if (bytes.empty()) return std::nullopt;
      const auto* begin = reinterpret_cast<const char*>(bytes.data());
      const auto* end = static_cast<const char*>(std::memchr(begin, '\n', bytes.size()));
      const bool last = bytes.size() < wanted;
      if (end || last || bytes.size() >= kLongest) {
        size_t length = end ? static_cast<size_t>(end - begin) : bytes.size();
        consumed_next_ = end ? length + 1 : length;
        if (length > kLongest) {
          length = kLongest;
          ++cut_;
        }
        if (length > 0 && begin[length - 1] == '\r') --length;
        return std::string_view(begin, length);
      }
      wanted = bytes.size() + 1;
    }
  }
  uint64_t cut() const { return cut_; }

 private:
  ByteWindow& window_;
  size_t consumed_next_ = 0;
  uint64_t cut_ = 0;
};

}  // namespace nettoll
