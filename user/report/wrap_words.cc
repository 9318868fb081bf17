// SPDX-License-Identifier: Apache-2.0
#include "report/wrap_words.h"

#include <algorithm>

#include "report/table.h"

namespace nettoll {
namespace {

/// Words from `column` on in lines that end at `width`, where a line has more than one word; further lines
/// are set in by `indent`.
std::string wrapped(const std::string& text, size_t column, size_t indent, size_t width) {
  std::string out;
  bool begun = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const size_t length = text_width(word);
    if (begun && column + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (begun) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    begun = true;
    at = end + 1;
  }
  return out;
}

/// Where the text of a line begins, behind a label that at least two spaces follow; without one behind the
/// line's own indent.
size_t text_begin(std::string_view line, size_t indent) {
  constexpr size_t kLongestLabel = 14;
  const size_t gap = line.find("  ", indent);
  if (gap == line.npos || gap > indent + kLongestLabel) return indent;
  return std::min(line.find_first_not_of(' ', gap), line.size());
}

bool is_tree(std::string_view line, size_t indent) {
  constexpr size_t kFarIn = 16;
  return indent >= kFarIn || line[indent] == '|' || line.substr(indent, 2) == "--";
}

void wrap_line(std::string_view line, size_t width, std::string& out) {
  constexpr size_t kSetIn = 2;
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  if (text_width(std::string(line)) <= width || is_tree(line, indent)) {
    out += line;
    return;
  }
  const size_t begin = text_begin(line, indent);
  const size_t below = begin == indent || begin > width / 2 ? indent + kSetIn : begin;
  out += line.substr(0, begin);
  out += wrapped(std::string(line.substr(begin)), begin, below, width);
}

}  // namespace

std::string wrap_words(const std::string& text, size_t indent, size_t width) {
  return wrapped(text, indent, indent, width);
}

std::string wrap_long_lines(std::string_view text, size_t width) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    wrap_line(text.substr(0, end), width, out);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace nettoll
