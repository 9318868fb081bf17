// SPDX-License-Identifier: Apache-2.0
// Sentences in lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nettoll {

/// Words in lines of about `width` characters, the lines after the first set in.
std::string wrap_words(const std::string& text, size_t indent, size_t width);

/// The lines of a report for a terminal of `width` columns: what is longer goes on in lines of its own, set
/// in as the text behind the label is ("note      ..."). Trees of call chains stay as they are.
std::string wrap_long_lines(std::string_view text, size_t width);

}  // namespace nettoll
