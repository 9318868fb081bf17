// SPDX-License-Identifier: Apache-2.0
// Sentences in lines.
#pragma once

#include <cstddef>
#include <string>

namespace nettoll {

/// Words in lines of about `width` characters, the lines after the first set in.
std::string wrap_words(const std::string& text, size_t indent, size_t width);

}  // namespace nettoll
