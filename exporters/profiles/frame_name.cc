// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/frame_name.h"

#include <fmt/format.h>

#include <string_view>

namespace nettoll {

std::string frame_name(const Symbol& symbol) {
  if (symbol.name != kUnknownName || symbol.module.empty()) return symbol.name;
  std::string_view module = symbol.module;
  // npos + 1 is 0: all of it.
  module = module.substr(module.rfind('/') + 1);
  if (module.empty()) return symbol.name;
  return module.starts_with('[') ? std::string(module) : fmt::format("[{}]", module);
}

}  // namespace nettoll
