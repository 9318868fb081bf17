// SPDX-License-Identifier: Apache-2.0
// Columns of text under headings.
#pragma once

#include <cstddef>
#include <optional>
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
    /// Says something of the column before it, and means nothing apart from that.
    bool beside = false;
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

  /// The same for a terminal that has `width` columns. Where shorter names do not make it fit, columns that
  /// have no value are left out, and those that still do not fit go on below, under the first column once
  /// more, and under what else tells rows apart where the first column does not and there is room. A single
  /// column that is wider still passes the width.
  std::string fold(size_t width) const;

 private:
  struct Part;
  bool fits(size_t width) const;
  TextTable without_empty_columns() const;
  std::vector<size_t> natural_widths() const;
  std::vector<size_t> shortened(std::vector<size_t> widths, size_t width) const;
  std::string continued_title(size_t column) const;
  size_t widest_group(const std::vector<size_t>& natural) const;
  size_t second_key() const;
  Part key_for(const std::vector<size_t>& natural, size_t width) const;
  std::vector<Part> parts_for(size_t width) const;
  std::string lines_of(const Part& part) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A number beside the column before it: its error, or its part of something.
TextTable::Column beside(std::string title);

/// The table as wide as a terminal is, or, where none tells, as render() has it.
std::string text_of(const TextTable& table, std::optional<size_t> terminal);

/// Code points in UTF-8 text.
size_t text_width(const std::string& text);

/// The text in at most `width` characters (at least 4), its middle replaced by "..". Function names differ at
/// both ends.
std::string shorten_middle(const std::string& text, size_t width);

}  // namespace nettoll
