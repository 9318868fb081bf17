// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kallsyms_line.h"

#include <algorithm>
#include <charconv>

#include "symbolize/symbol_names.h"

namespace nettoll {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::optional<KallsymsLine> parse_kallsyms_line(std::string_view line) {
  KallsymsLine parsed;
  const char* const end = line.data() + line.size();
  const auto [after, ec] = std::from_chars(line.data(), end, parsed.address, 16);
  // " T n" is the shortest that may follow.
  if (ec != std::errc() || end - after < 4 || after[0] != ' ' || !is_letter(after[1]) || after[2] != ' ')
    return std::nullopt;
  parsed.type = after[1];
  std::string_view rest(after + 3, static_cast<size_t>(end - after - 3));
  const size_t space = rest.find_first_of(" \t");
  parsed.name = rest.substr(0, space);
  if (parsed.name.empty()) return std::nullopt;
  const size_t bracket = rest.find_first_not_of(" \t", std::min(space, rest.size()));
  if (bracket == std::string_view::npos) return parsed;
  rest.remove_prefix(bracket);
  if (rest.size() < 3 || rest.front() != '[' || rest.back() != ']') return std::nullopt;
  parsed.module = rest.substr(1, rest.size() - 2);
  return parsed;
}

LineUse use_of(const KallsymsLine& line) {
  switch (line.type) {
    case 't':
    case 'T':
    case 'w':
    case 'W':
      if (is_mapping_symbol(line.name)) return LineUse::none;
      return is_padding(line.name) ? LineUse::padding : LineUse::function;
    case 'a':
    case 'A':
      return LineUse::none;
    default:
      return is_mapping_symbol(line.name) ? LineUse::none : LineUse::bound;
  }
}

}  // namespace nettoll
