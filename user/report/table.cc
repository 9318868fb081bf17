// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/printable.h"

namespace nettoll {
namespace {

constexpr size_t kGap = 2;

/// Whether a byte of UTF-8 belongs to the character before it.
bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

size_t line_width(const std::vector<size_t>& widths) {
  const size_t gaps = widths.empty() ? 0 : kGap * (widths.size() - 1);
  return std::accumulate(widths.begin(), widths.end(), gaps);
}

/// Bytes of the first `characters` of valid UTF-8.
size_t bytes_of(std::string_view text, size_t characters) {
  size_t byte = 0;
  for (; byte < text.size(); ++byte) {
    if (!continues(text[byte]) && characters-- == 0) break;
  }
  return byte;
}

/// A path tells most at its end, a function at both.
std::string shorten(const std::string& name, size_t width) {
  const size_t whole = text_width(name);
  if (!name.starts_with('/') || whole <= width) return shorten_middle(name, width);
  return ".." + name.substr(bytes_of(name, whole - (width - 2)));
}

void append_cell(std::string& line, const std::string& cell, size_t width, TextTable::Kind kind) {
  const std::string text = kind == TextTable::Kind::name ? shorten(cell, width) : cell;
  const size_t used = text_width(text);
  const std::string padding(width > used ? width - used : 0, ' ');
  line += kind == TextTable::Kind::number ? padding + text : text + padding;
}

}  // namespace

size_t text_width(const std::string& text) {
  return text.size() - static_cast<size_t>(std::count_if(text.begin(), text.end(), continues));
}

std::string shorten_middle(const std::string& text, size_t width) {
  const size_t whole = text_width(text);
  if (whole <= width) return text;
  const size_t tail = (width - 2) / 2;
  const size_t head = width - 2 - tail;
  return text.substr(0, bytes_of(text, head)) + ".." + text.substr(bytes_of(text, whole - tail));
}

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printable_line(cell);
  rows_.push_back(std::move(cells));
}

std::vector<size_t> TextTable::natural_widths() const {
  std::vector<size_t> widths;
  widths.reserve(columns_.size());
  for (const auto& column : columns_) widths.push_back(text_width(column.title));
  for (const auto& row : rows_) {
    for (size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], text_width(row[i]));
  }
  return widths;
}

std::string TextTable::render(size_t width) const {
  std::vector<size_t> widths = natural_widths();
  for (size_t i = columns_.size(); i-- > 0;) {
    const size_t line = line_width(widths);
    if (line <= width || columns_[i].kind != Kind::name) continue;
    const size_t least = std::min(widths[i], kShortestName);
    widths[i] = std::max(least, widths[i] - std::min(widths[i], line - width));
  }

  std::string text;
  const auto append_line = [&](const auto& cell_of) {
    std::string line;
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) line.append(kGap, ' ');
      append_cell(line, cell_of(i), widths[i], columns_[i].kind);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  append_line([&](size_t i) { return columns_[i].title; });
  for (const auto& row : rows_) append_line([&](size_t i) { return row[i]; });
  return text;
}

}  // namespace nettoll
