// SPDX-License-Identifier: Apache-2.0
#include "report/json_text.h"

#include "base/printable.h"

namespace nettoll {

std::string json_text(const nlohmann::json& value, JsonLayout layout) {
  const int indent = layout == JsonLayout::indented ? 2 : -1;
  return printable_json(value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace nettoll
