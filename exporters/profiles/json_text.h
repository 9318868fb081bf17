// SPDX-License-Identifier: Apache-2.0
// Strings as JSON has them, for files that are too long to build as a tree.
#pragma once

#include <string>
#include <string_view>

namespace nettoll {

/// `text` in quotes. '<', '>' and '&' are escaped as well, so that the result can stand in an HTML script
/// element whatever the text is; bytes that are no UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace nettoll
