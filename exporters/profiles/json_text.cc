// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/json_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/printable.h"

namespace nettoll {

std::string json_string(std::string_view text) {
  // U+2028 and U+2029, which end a line in older JavaScript, are among what this escapes.
  const std::string plain =
      printable_json(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  std::string safe;
  safe.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<' || c == '>' || c == '&')
      safe += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      safe += c;
  }
  return safe;
}

}  // namespace nettoll
