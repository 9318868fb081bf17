// SPDX-License-Identifier: Apache-2.0
#include "tui/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tui/glyphs.h"

namespace nettoll::tui {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

std::string fit(const std::string& text, Size size) {
  std::vector<std::string> lines = lines_of(text);
  const auto room = static_cast<size_t>(std::max(size.rows - 1, 1));
  if (lines.size() > room) {
    const auto last_empty = std::find(lines.rbegin(), lines.rend(), "");
    size_t tail = static_cast<size_t>(last_empty - lines.rbegin());
    if (tail + 2 > room) tail = 0;
    const size_t head = room - 1 - tail;
    const size_t left_out = lines.size() - head - tail;
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(head),
                lines.end() - static_cast<std::ptrdiff_t>(tail));
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(head),
                 fmt::format("... {} more lines than the terminal has room for", left_out));
  }
  std::string fitted;
  for (const std::string& line : lines) fitted += clip(line, size.columns) + "\n";
  return fitted;
}

}  // namespace nettoll::tui
