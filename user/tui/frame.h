// SPDX-License-Identifier: Apache-2.0
// What a screen shows: a grid of styled characters.
#pragma once

#include <climits>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nettoll::tui {

/// What a cell means; the terminal chooses how that looks.
enum class Style : uint8_t {
  normal,
  strong,       ///< what to look at first
  dim,          ///< what matters less
  heading,      ///< the names of columns
  sort_column,  ///< the name of the column that rows are sorted by
  selected,     ///< the row that the cursor is on
  tab,          ///< a pane that could be chosen
  chosen_tab,
  key,      ///< a key that does something
  warning,  ///< costs something
  critical,
};

struct Size {
  int rows = 24;
  int columns = 80;
  bool operator==(const Size&) const = default;
};

struct Cell {
  char32_t character = U' ';  ///< 0: the right half of the wide character before it
  Style style = Style::normal;
  bool operator==(const Cell&) const = default;
};

/// Exactly `size` cells. What does not fit is not written.
class Frame {
 public:
  /// Sizes are at least 1 x 1.
  explicit Frame(Size size);

  Size size() const { return size_; }
  const Cell& at(int row, int column) const { return cells_[index(row, column)]; }

  /// Writes text into a row, no further than `width` columns (the end gives way to "…"), and gives the column
  /// after it. Positions outside of the frame are ignored.
  int put(int row, int column, std::string_view text, Style style = Style::normal, int width = INT_MAX);
  /// Writes text so that it ends with the row's last column; returns where it begins.
  int put_right(int row, std::string_view text, Style style = Style::normal);
  /// Gives every cell of a row a style.
  void paint(int row, Style style);

  /// A row as UTF-8, without the spaces at its end.
  std::string text(int row) const;

 private:
  size_t index(int row, int column) const {
    return static_cast<size_t>(row) * static_cast<size_t>(size_.columns) + static_cast<size_t>(column);
  }

  Size size_;
  std::vector<Cell> cells_;
};

}  // namespace nettoll::tui
