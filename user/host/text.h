// SPDX-License-Identifier: Apache-2.0
// Small tools for the text files of /proc and /sys.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace nettoll {

/// Without white space at both ends.
std::string_view trimmed(std::string_view text);

/// The words of a line, parted by blanks and tabs.
std::vector<std::string_view> words_of(std::string_view line);

/// Cuts the first line off `text`, without its end.
std::string_view take_line(std::string_view& text);

/// Cuts the first word off `line`; empty at its end.
std::string_view take_word(std::string_view& line);

/// The whole of `text` as a number without sign. Absent where it is anything else or does not fit.
template <typename Number = uint64_t>
std::optional<Number> number_of(std::string_view text, int base = 10) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (text.empty() || text.front() == '-' || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace nettoll
