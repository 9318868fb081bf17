// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <algorithm>
#include <numeric>

namespace nettoll {
namespace {

constexpr size_t kGap = 2;

size_t line_width(const std::vector<size_t>& widths) {
  const size_t gaps = widths.empty() ? 0 : kGap * (widths.size() - 1);
  return std::accumulate(widths.begin(), widths.end(), gaps);
}

void append_cell(std::string& line, const std::string& cell, size_t width, TextTable::Kind kind) {
  const std::string text = kind == TextTable::Kind::name ? shorten_middle(cell, width) : cell;
  const size_t used = text_width(text);
  const std::string padding(width > used ? width - used : 0, ' ');
  line += kind == TextTable::Kind::number ? padding + text : text + padding;
}

}  // namespace

size_t text_width(const std::string& text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string shorten_middle(const std::string& text, size_t width) {
  if (text_width(text) <= width) return text;
  const size_t tail = (width - 2) / 2;
  const size_t head = width - 2 - tail;
  return text.substr(0, head) + ".." + text.substr(text.size() - tail);
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
