// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/json_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace nettoll {

std::string json_string(std::string_view text) {
  const std::string plain =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string safe;
  safe.reserve(plain.size());
  for (size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    // U+2028 and U+2029 (E2 80 A8, A9) end a line in older JavaScript.
    const bool line_end = std::string_view(plain).substr(i, 2) == "\xe2\x80" && i + 2 < plain.size() &&
                          (plain[i + 2] == '\xa8' || plain[i + 2] == '\xa9');
    if (line_end) {
      safe += plain[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (c == '<' || c == '>' || c == '&') {
      safe += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace nettoll
