// SPDX-License-Identifier: Apache-2.0
#include "tui/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "tui/glyphs.h"

namespace nettoll::tui {
namespace {

using Lines = std::vector<std::string>;

/// A section that is cut has its first line, one of its rows, and the count of the others.
constexpr size_t kLeastRows = 3;

Lines lines_of(const std::string& text) {
  Lines lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::vector<Lines> sections_of(const Lines& lines) {
  std::vector<Lines> sections(1);
  for (const std::string& line : lines) {
    if (line.empty())
      sections.emplace_back();
    else
      sections.back().push_back(line);
  }
  return sections;
}

/// All before the last section as one.
std::vector<Lines> as_two(std::vector<Lines> sections) {
  Lines before;
  for (size_t i = 0; i + 1 < sections.size(); ++i) {
    if (i) before.emplace_back();
    before.insert(before.end(), sections[i].begin(), sections[i].end());
  }
  return {std::move(before), std::move(sections.back())};
}

/// The lines in at most `room`, 1 or more, of which the last tells how many are left out.
void cut(Lines& lines, size_t room) {
  if (lines.size() <= room) return;
  const size_t left_out = lines.size() - (room - 1);
  lines.resize(room - 1);
  lines.push_back(fmt::format("... {} more lines than the terminal has room for", left_out));
}

/// The sections in `room` lines, with an empty one between two; nothing where not even the least of each
/// fits.
std::optional<Lines> fit_sections(std::vector<Lines> sections, size_t room) {
  const size_t fixed = sections.back().size() + sections.size() - 1;
  std::vector<size_t> wanted;
  size_t least = fixed;
  for (size_t i = 0; i + 1 < sections.size(); ++i) {
    wanted.push_back(sections[i].size());
    least += std::min(kLeastRows, sections[i].size());
  }
  if (least > room) return std::nullopt;
  const auto shares = share_rows(wanted, room - fixed);
  Lines lines;
  for (size_t i = 0; i < sections.size(); ++i) {
    if (i < shares.size()) cut(sections[i], shares[i]);
    if (i) lines.emplace_back();
    lines.insert(lines.end(), sections[i].begin(), sections[i].end());
  }
  return lines;
}

}  // namespace

std::vector<size_t> share_rows(const std::vector<size_t>& wanted, size_t room) {
  std::vector<size_t> shares(wanted.size());
  // A row at a time to whoever has least and wants more: there are no more rows than a screen has.
  for (; room; --room) {
    size_t next = wanted.size();
    for (size_t i = 0; i < wanted.size(); ++i)
      if (shares[i] < wanted[i] && (next == wanted.size() || shares[i] < shares[next])) next = i;
    if (next == wanted.size()) break;
    ++shares[next];
  }
  return shares;
}

std::string fit(const std::string& text, Size size) {
  Lines lines = lines_of(text);
  const auto room = static_cast<size_t>(std::max(size.rows - 1, 1));
  if (lines.size() > room) {
    auto sections = sections_of(lines);
    auto fitted = fit_sections(sections, room);
    if (!fitted) fitted = fit_sections(as_two(std::move(sections)), room);
    if (fitted)
      lines = std::move(*fitted);
    else
      cut(lines, room);
  }
  std::string fitted;
  for (const std::string& line : lines) fitted += clip(line, size.columns) + "\n";
  return fitted;
}

}  // namespace nettoll::tui
