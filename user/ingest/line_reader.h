// SPDX-License-Identifier: Apache-2.0
// Lines of a text of any length.
#pragma once

#include <algorithm>
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
    if (cut_off_) skip_rest();
    for (size_t wanted = 1;;) {
      const auto bytes = window_.peek(wanted);
      if (bytes.empty()) return std::nullopt;
      const auto* begin = reinterpret_cast<const char*>(bytes.data());
      const size_t looked_at = std::min(bytes.size(), kLongest);
      const auto* end = static_cast<const char*>(std::memchr(begin, '\n', looked_at));
      if (!end && bytes.size() >= wanted && looked_at < kLongest) {
        wanted = bytes.size() + 1;
        continue;
      }
      size_t length = end ? static_cast<size_t>(end - begin) : looked_at;
      consumed_next_ = end ? length + 1 : length;
      unended_ = !end;
      cut_off_ = !end && length == kLongest;
      cut_ += cut_off_;
      if (length > 0 && begin[length - 1] == '\r') --length;
      return std::string_view(begin, length);
    }
  }
  uint64_t cut() const { return cut_; }
  /// Whether the line at hand, or the last one there was, lacks its end.
  bool unended() const { return unended_; }

 private:
  /// Leaves the rest of a line behind that was given up to kLongest.
  void skip_rest() {
    cut_off_ = false;
    for (auto bytes = window_.peek(1); !bytes.empty(); bytes = window_.peek(1)) {
      const void* end = std::memchr(bytes.data(), '\n', bytes.size());
      const size_t length =
          end ? static_cast<size_t>(static_cast<const uint8_t*>(end) - bytes.data()) : bytes.size();
      window_.consume(end ? length + 1 : length);
      if (end) return;
    }
  }

  ByteWindow& window_;
  size_t consumed_next_ = 0;
  uint64_t cut_ = 0;
  bool cut_off_ = false;  ///< the line at hand goes on
  bool unended_ = false;
};

}  // namespace nettoll
