// SPDX-License-Identifier: Apache-2.0
#include "report/wrap_words.h"

#include <algorithm>

namespace nettoll {

std::string wrap_words(const std::string& text, size_t indent, size_t width) {
  std::string out;
  size_t column = indent;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const size_t length = end - at;
    if (column > indent && column + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(at, length);
    column += length;
    at = end + 1;
  }
  return out;
}

}  // namespace nettoll
