// SPDX-License-Identifier: Apache-2.0
// UTF-8 character by character.
#pragma once

#include <optional>
#include <string_view>

namespace nettoll {

/// Takes one character off the front of a text that is not empty. Nothing where the bytes there are no UTF-8
/// (RFC 3629: cut, overlong, a surrogate, past U+10FFFF); then it takes one byte.
std::optional<char32_t> take_character(std::string_view& text);

}  // namespace nettoll
