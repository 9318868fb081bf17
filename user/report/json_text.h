// SPDX-License-Identifier: Apache-2.0
// JSON as it is printed.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace nettoll {

/// Values on one line, or set in under one another.
enum class JsonLayout : uint8_t { line, indented };

/// The text, without a line's end: U+FFFD for bytes of names that are no UTF-8, and escapes for what would
/// drive a terminal.
std::string json_text(const nlohmann::json& value, JsonLayout layout = JsonLayout::indented);

}  // namespace nettoll
