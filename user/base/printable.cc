// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace nettoll {
namespace {

bool is_obeyed(char32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  // Unicode Standard Annex 9: marks, embeddings, overrides and isolates.
  const bool direction = code == 0x061c || code == 0x200e || code == 0x200f ||
                         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool line_end = code == 0x2028 || code == 0x2029;
  return control || direction || line_end;
}

/// Every character of `text`, or U+FFFD, through `keep`, which tells whether it may stay; `instead` says what
/// stands in its place.
template <typename Keep, typename Instead>
std::string rewritten(std::string_view text, Keep&& keep, Instead&& instead) {
  std::string out;
  out.reserve(text.size());
  for (std::string_view rest = text; !rest.empty(); text = rest) {
    const auto character = take_character(rest);
    if (!character)
      out += "\xef\xbf\xbd";
    else if (keep(*character))
      out += text.substr(0, text.size() - rest.size());
    else
      out += instead(*character);
  }
  return out;
}

char question_mark(char32_t /*code*/) {
  return '?';
}

bool is_obeyed_in_lines(char32_t code) {
  return code != '\n' && is_obeyed(code);
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  return rewritten(
      text, [](char32_t) { return true; }, question_mark);
}

std::string printable_text(std::string_view text) {
  return rewritten(
      text, [](char32_t code) { return !is_obeyed_in_lines(code); }, question_mark);
}

std::string printable_line(std::string_view text) {
  return rewritten(
      text, [](char32_t code) { return !is_obeyed(code); }, question_mark);
}

std::string printable_json(std::string text) {
  // Most of what is written is plain ASCII; other controls than DEL were escaped when it became JSON.
  const auto plain = [](char c) { return static_cast<unsigned char>(c) < 0x7f; };
  if (std::all_of(text.begin(), text.end(), plain)) return text;
  return rewritten(
      text, [](char32_t code) { return !is_obeyed_in_lines(code); },
      [](char32_t code) { return fmt::format("\\u{:04x}", static_cast<uint32_t>(code)); });
}

}  // namespace nettoll
