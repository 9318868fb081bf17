// SPDX-License-Identifier: Apache-2.0
// Columns of text under headings.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nettoll {

/// A table that is built row by row and printed once. Widths are of code points, so UTF-8 lines up; columns
/// are two spaces apart.
class TextTable {
 public:
  /// Texts align left, numbers right. A name is a text that may be shortened to make the table fit.
  enum class Kind { text, number, name };
  struct Column {
    std::string title;
    Kind kind = Kind::number;
  };

  /// Names are shortened no further than this.
  static constexpr size_t kShortestName = 12;

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// A row has as many cells as there are columns. What would leave its line or drive a terminal in them is
  /// replaced (printable_line).
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  /// The heading and all rows, each line ended by '\n', without spaces at its end. If a line would pass
  /// `width`, names lose their middle to "..", paths their begin, those of the last columns first.
  std::string render(size_t width = 120) const;

 private:
  std::vector<size_t> natural_widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Code points in UTF-8 text.
size_t text_width(const std::string& text);

/// The text in at most `width` characters (at least 4), its middle replaced by "..". Function names differ at
/// both ends.
std::string shorten_middle(const std::string& text, size_t width);

}  // namespace nettoll
