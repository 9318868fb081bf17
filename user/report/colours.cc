// SPDX-License-Identifier: Apache-2.0
#include "report/colours.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace nettoll {
namespace {

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kPlain = "\x1b[m";

bool of_number(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) || c == '.';
}

/// The colour of a share; "" for none.
std::string_view colour_of(std::string_view number) {
  constexpr double kMuch = 5;
  constexpr double kSome = 0.5;
  double percent = 0;
  if (std::from_chars(number.data(), number.data() + number.size(), percent).ec != std::errc()) return {};
  return percent >= kMuch ? kRed : percent >= kSome ? kGreen : std::string_view{};
}

void colour_line(std::string_view line, std::string& out) {
  size_t done = 0;
  for (size_t percent = line.find('%'); percent != line.npos; percent = line.find('%', percent + 1)) {
    size_t begin = percent;
    while (begin > done && of_number(line[begin - 1])) --begin;
    const bool error = begin >= 2 && line.substr(begin - 2, 2) == "±";
    const std::string_view colour =
        error ? std::string_view{} : colour_of(line.substr(begin, percent - begin));
    if (colour.empty()) continue;
    out.append(line.substr(done, begin - done));
    out.append(colour).append(line.substr(begin, percent + 1 - begin)).append(kPlain);
    done = percent + 1;
  }
  out.append(line.substr(done));
}

}  // namespace

std::string with_colours(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  bool title = true;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (title && !line.empty())
      out.append(kBold).append(line).append(kPlain);
    else
      colour_line(line, out);
    if (end < text.size()) out += '\n';
    title = line.empty();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace nettoll
