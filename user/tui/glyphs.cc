// SPDX-License-Identifier: Apache-2.0
#include "tui/glyphs.h"

#include <algorithm>
#include <clocale>
#include <cwchar>
#include <numeric>

#include "base/utf8.h"

namespace nettoll::tui {
namespace {

constexpr char32_t kEllipsis = U'…';

/// wcwidth(3) of a UTF-8 locale, whatever the process has; -1 where the host has none, but for the characters
/// of our own tables.
int width_of(char32_t character) {
  if (character == U'±' || character == kEllipsis) return 1;
  static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (!utf8) return -1;
  const locale_t before = ::uselocale(utf8);
  const int width = ::wcwidth(static_cast<wchar_t>(character));
  ::uselocale(before);
  return width;
}

Glyph glyph_of(char32_t character) {
  if (character >= 0x20 && character < 0x7F) return {character, 1};
  const int width = character < 0x80 ? -1 : width_of(character);
  if (width < 0) return {U'?', 1};
  return {character, width};
}

int columns_of(const std::vector<Glyph>& glyphs) {
  return std::accumulate(glyphs.begin(), glyphs.end(), 0,
                         [](int sum, const Glyph& glyph) { return sum + glyph.columns; });
}

/// As many glyphs from `first` on as fit, as text.
template <typename It>
std::string fitting(It first, It last, int columns) {
  std::string text;
  for (; first != last && first->columns <= columns; ++first) {
    columns -= first->columns;
    append_utf8(text, first->character);
  }
  return text;
}

std::string text_of(const std::vector<Glyph>& glyphs) {
  std::string text;
  for (const Glyph& glyph : glyphs) append_utf8(text, glyph.character);
  return text;
}

std::vector<Glyph> tail_fitting(const std::vector<Glyph>& glyphs, int columns) {
  auto first = glyphs.end();
  while (first != glyphs.begin() && std::prev(first)->columns <= columns) {
    --first;
    columns -= first->columns;
  }
  return {first, glyphs.end()};
}

}  // namespace

std::vector<Glyph> glyphs_of(std::string_view text) {
  std::vector<Glyph> glyphs;
  glyphs.reserve(text.size());
  while (!text.empty()) {
    const Glyph glyph = glyph_of(take_character(text).value_or(U'\0'));
    if (glyph.columns > 0) glyphs.push_back(glyph);
  }
  return glyphs;
}

int columns_of(std::string_view text) {
  return columns_of(glyphs_of(text));
}

std::string clip(std::string_view text, int columns) {
  const auto glyphs = glyphs_of(text);
  if (columns_of(glyphs) <= columns) return text_of(glyphs);
  if (columns <= 0) return {};
  std::string clipped = fitting(glyphs.begin(), glyphs.end(), columns - 1);
  append_utf8(clipped, kEllipsis);
  return clipped;
}

std::string clip_middle(std::string_view text, int columns) {
  const auto glyphs = glyphs_of(text);
  if (columns_of(glyphs) <= columns) return text_of(glyphs);
  if (columns < 3) return clip(text, columns);
  const int tail = (columns - 1) / 2;
  std::string clipped = fitting(glyphs.begin(), glyphs.end(), columns - 1 - tail);
  append_utf8(clipped, kEllipsis);
  return clipped + text_of(tail_fitting(glyphs, tail));
}

void append_utf8(std::string& text, char32_t character) {
  const auto byte = [&](char32_t value) { text += static_cast<char>(value); };
  const auto following = [&](int shift) { byte(0x80 | (character >> shift & 0x3F)); };
  if (character < 0x80) {
    byte(character);
  } else if (character < 0x800) {
    byte(0xC0 | character >> 6);
    following(0);
  } else if (character < 0x10000) {
    byte(0xE0 | character >> 12);
    following(6);
    following(0);
  } else {
    byte(0xF0 | character >> 18);
    following(12);
    following(6);
    following(0);
  }
}

std::vector<std::string> wrap(std::string_view line, int columns, int hanging) {
  columns = std::max(columns, 1);
  const size_t text_begins = std::min(line.find_first_not_of(' '), line.size());
  const int indent = std::min(std::max(static_cast<int>(text_begins), hanging), columns / 2);
  std::vector<std::string> lines{std::string(line.substr(0, text_begins))};
  int used = static_cast<int>(text_begins);
  bool fresh = true;
  const auto next_line = [&] {
    lines.emplace_back(static_cast<size_t>(indent), ' ');
    used = indent;
    fresh = true;
  };
  for (std::string_view rest = line.substr(text_begins); !rest.empty();) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const auto glyphs = glyphs_of(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const int width = columns_of(glyphs);
    if (!fresh && used + 1 + width > columns) next_line();
    if (!fresh) {
      lines.back() += ' ';
      ++used;
    }
    for (const Glyph& glyph : glyphs) {
      if (used + glyph.columns > columns && used > indent) next_line();
      append_utf8(lines.back(), glyph.character);
      used += glyph.columns;
      fresh = false;
    }
    if (glyphs.empty()) fresh = false;  // spaces that were typed to line something up
  }
  return lines;
}

}  // namespace nettoll::tui
