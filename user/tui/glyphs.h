// SPDX-License-Identifier: Apache-2.0
// Text as a terminal shows it: characters and the columns that they take.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nettoll::tui {

/// One character that a terminal shows.
struct Glyph {
  char32_t character = U' ';
  int columns = 1;  ///< 2 for wide ones, such as Chinese
};

/// The characters of UTF-8 text. What a terminal would obey or cannot show (control characters, bytes that
/// are no UTF-8) becomes '?'; what takes no column (combining marks, direction marks) is left out. Names of
/// devices and tasks may hold any byte.
std::vector<Glyph> glyphs_of(std::string_view text);

/// Columns that the text takes.
int columns_of(std::string_view text);

/// The text in at most `columns` columns: its end gives way to "…".
std::string clip(std::string_view text, int columns);

/// The same for names, whose middle gives way: functions differ at both ends.
std::string clip_middle(std::string_view text, int columns);

/// Appends a character as UTF-8.
void append_utf8(std::string& text, char32_t character);

/// Words in lines of at most `columns` columns. Lines after the first are set in as far as the text of the
/// first, or by `hanging` if that is more. A word that is longer than a line is broken.
std::vector<std::string> wrap(std::string_view line, int columns, int hanging = 0);

}  // namespace nettoll::tui
