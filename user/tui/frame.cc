// SPDX-License-Identifier: Apache-2.0
#include "tui/frame.h"

#include <algorithm>

#include "tui/glyphs.h"

namespace nettoll::tui {

Frame::Frame(Size size) : size_{std::max(size.rows, 1), std::max(size.columns, 1)} {
  cells_.resize(static_cast<size_t>(size_.rows) * static_cast<size_t>(size_.columns));
}

int Frame::put(int row, int column, std::string_view text, Style style, int width) {
  if (row < 0 || row >= size_.rows || column < 0 || column >= size_.columns) return column;
  const int room = std::min(width, size_.columns - column);
  for (const Glyph& glyph : glyphs_of(clip(text, room))) {
    // A wide character of which one half is written over is gone.
    if (column > 0 && at(row, column).character == U'\0') cells_[index(row, column - 1)].character = U' ';
    cells_[index(row, column)] = {glyph.character, style};
    for (int i = 1; i < glyph.columns; ++i) cells_[index(row, column + i)] = {U'\0', style};
    column += glyph.columns;
    if (column < size_.columns && at(row, column).character == U'\0')
      cells_[index(row, column)].character = U' ';
  }
  return column;
}

int Frame::put_right(int row, std::string_view text, Style style) {
  const int begin = std::max(0, size_.columns - columns_of(text));
  put(row, begin, text, style);
  return begin;
}

void Frame::paint(int row, Style style) {
  if (row < 0 || row >= size_.rows) return;
  for (int column = 0; column < size_.columns; ++column) cells_[index(row, column)].style = style;
}

std::string Frame::text(int row) const {
  std::string text;
  for (int column = 0; column < size_.columns; ++column) {
    if (const char32_t character = at(row, column).character) append_utf8(text, character);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace nettoll::tui
