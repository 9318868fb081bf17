// SPDX-License-Identifier: Apache-2.0
// Text of strangers, made safe for a terminal and for files that are read line by line: names of tasks,
// devices, functions and files may hold any byte, and a capture may be made to be hostile.
#pragma once

#include <string>
#include <string_view>

namespace nettoll {

/// The text with U+FFFD for each byte that is no UTF-8 (RFC 3629).
std::string valid_utf8(std::string_view text);

/// Valid UTF-8 of any number of lines, with '?' for each character that a terminal would obey: the C0
/// controls but line ends, DEL, the C1 controls, and what turns the direction of writing or ends a line
/// unseen.
std::string printable_text(std::string_view text);

/// The same for a text that has to stay on its line: line ends become '?' too.
std::string printable_line(std::string_view text);

/// Text of JSON (RFC 8259), which is valid UTF-8, with an escape such as \u009b for each of those characters:
/// they stand in its strings alone, and mean the same there. Line ends between values stay.
std::string printable_json(std::string text);

}  // namespace nettoll
