// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/printable.h"
#include "report/format.h"

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

std::vector<size_t> TextTable::shortened(std::vector<size_t> widths, size_t width) const {
  for (size_t i = columns_.size(); i-- > 0;) {
    const size_t line = line_width(widths);
    if (line <= width || columns_[i].kind != Kind::name) continue;
    const size_t least = std::min(widths[i], kShortestName);
    widths[i] = std::max(least, widths[i] - std::min(widths[i], line - width));
  }
  return widths;
}

/// Columns that stand side by side.
struct TextTable::Part {
  std::vector<size_t> columns;
  std::vector<std::string> titles;
  std::vector<size_t> widths;

  void add(size_t column, std::string title, size_t width) {
    columns.push_back(column);
    titles.push_back(std::move(title));
    widths.push_back(width);
  }
};

std::string TextTable::lines_of(const Part& part) const {
  std::string text;
  const auto append_line = [&](const auto& cell_of) {
    std::string line;
    for (size_t i = 0; i < part.columns.size(); ++i) {
      if (i > 0) line.append(kGap, ' ');
      append_cell(line, cell_of(i), part.widths[i], columns_[part.columns[i]].kind);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  append_line([&](size_t i) { return part.titles[i]; });
  for (const auto& row : rows_) append_line([&](size_t i) { return row[part.columns[i]]; });
  return text;
}

std::string TextTable::render(size_t width) const {
  const auto widths = shortened(natural_widths(), width);
  Part whole;
  for (size_t i = 0; i < columns_.size(); ++i) whole.add(i, columns_[i].title, widths[i]);
  return lines_of(whole);
}

/// The heading of a column that is apart from the one that it is of: "self ±".
std::string TextTable::continued_title(size_t column) const {
  size_t of = column;
  while (of > 0 && columns_[of].beside) --of;
  return of == column ? columns_[column].title : columns_[of].title + " " + columns_[column].title;
}

/// What columns that belong together need at least, with the gap before them.
size_t TextTable::widest_group(const std::vector<size_t>& natural) const {
  size_t widest = 0;
  size_t group = 0;
  for (size_t i = 1; i < columns_.size(); ++i) {
    const bool shrinks = columns_[i].kind == Kind::name;
    const size_t needed = kGap + (shrinks ? std::min(natural[i], kShortestName) : natural[i]);
    group = columns_[i].beside ? group + needed : needed;
    widest = std::max(widest, group);
  }
  return widest;
}

/// The column that tells rows apart together with the first; 0 where that does so alone, or none does. An
/// empty first cell stands for the one above.
size_t TextTable::second_key() const {
  const auto tells_apart = [&](size_t column) {
    std::set<std::pair<std::string_view, std::string_view>> seen;
    std::string_view first;
    return std::all_of(rows_.begin(), rows_.end(), [&](const auto& row) {
      if (!row[0].empty()) first = row[0];
      return seen.emplace(first, column == 0 ? std::string_view() : row[column]).second;
    });
  };
  for (size_t i = 0; i < columns_.size(); ++i) {
    const bool may_be = i == 0 || (columns_[i].kind != Kind::number && !columns_[i].beside);
    if (may_be && tells_apart(i)) return i;
  }
  return 0;
}

/// What every part begins with: half a line at most, less where columns that belong together need more.
TextTable::Part TextTable::key_for(const std::vector<size_t>& natural, size_t width) const {
  const auto least = [&](size_t column) {
    return columns_[column].kind == Kind::name ? std::min(natural[column], kShortestName) : natural[column];
  };
  const auto within = [&](size_t column, size_t most) {
    return std::clamp(most, least(column), natural[column]);
  };
  Part key;
  const size_t widest = widest_group(natural);
  const size_t room = width > widest ? width - widest : 0;
  const size_t other = second_key();
  if (other == 0 || least(0) + kGap + least(other) > room) {
    key.add(0, columns_[0].title, within(0, std::min(room, width / 2)));
    return key;
  }
  const size_t second = within(other, std::max(width / 4, kGap) - kGap);
  key.add(0, columns_[0].title, within(0, std::min(room - kGap - second, width / 4)));
  key.add(other, columns_[other].title, second);
  return key;
}

std::vector<TextTable::Part> TextTable::parts_for(size_t width) const {
  const auto natural = natural_widths();
  const Part key = key_for(natural, width);
  const size_t taken = line_width(key.widths) + kGap;
  const size_t room = width > taken ? width - taken : 1;
  const auto width_of = [&](size_t i) {
    const bool shrinks = columns_[i].kind == Kind::name;
    return shrinks ? std::max(std::min(natural[i], kShortestName), std::min(natural[i], room)) : natural[i];
  };
  std::vector<Part> parts{key};
  size_t used = 0;
  for (size_t i = 1; i < columns_.size(); ++i) {
    if (i == key.columns.back()) continue;
    const bool stays = columns_[i].beside && parts.back().columns.back() == i - 1;
    // What belongs together is begun where all of it fits.
    size_t needed = width_of(i);
    if (!stays) {
      for (size_t next = i + 1; next < columns_.size() && columns_[next].beside; ++next)
        needed += kGap + width_of(next);
      needed = std::min(needed, room);
    }
    if (used > 0 && used + kGap + needed > room) {
      parts.push_back(key);
      used = 0;
    }
    const bool apart = columns_[i].beside && parts.back().columns.back() != i - 1;
    std::string title = apart ? continued_title(i) : columns_[i].title;
    const size_t own = std::max(width_of(i), text_width(title));
    used += (used > 0 ? kGap : 0) + own;
    parts.back().add(i, std::move(title), own);
  }
  return parts;
}

bool TextTable::fits(size_t width) const {
  return columns_.size() < 2 || line_width(shortened(natural_widths(), width)) <= width;
}

/// Without those in which no row has anything, but with the first, and with what others are beside.
TextTable TextTable::without_empty_columns() const {
  std::vector<bool> kept(columns_.size());
  for (size_t i = columns_.size(); i-- > 0;) {
    const bool needed = i + 1 < columns_.size() && columns_[i + 1].beside && kept[i + 1];
    kept[i] = i == 0 || needed || std::any_of(rows_.begin(), rows_.end(), [i](const auto& row) {
                return !row[i].empty() && row[i] != kMissing;
              });
  }
  const auto pick = [&](const auto& of) {
    std::remove_cvref_t<decltype(of)> some;
    for (size_t i = 0; i < of.size(); ++i) {
      if (kept[i]) some.push_back(of[i]);
    }
    return some;
  };
  TextTable table(pick(columns_));
  for (const auto& row : rows_) table.rows_.push_back(pick(row));
  return table;
}

std::string TextTable::fold(size_t width) const {
  if (fits(width)) return render(width);
  const TextTable told = without_empty_columns();
  if (told.fits(width)) return told.render(width);
  std::string text;
  for (const Part& part : told.parts_for(width)) text += (text.empty() ? "" : "\n") + told.lines_of(part);
  return text;
}

TextTable::Column beside(std::string title) {
  return {std::move(title), TextTable::Kind::number, true};
}

std::string text_of(const TextTable& table, std::optional<size_t> terminal) {
  return terminal ? table.fold(*terminal) : table.render();
}

}  // namespace nettoll
