// SPDX-License-Identifier: Apache-2.0
#include "report/frame_label.h"

#include <fmt/format.h>

namespace nettoll {

std::string frame_label(const Symbol& symbol) {
  if (symbol.kind == SymbolKind::kernel && symbol.module != kVmlinux)
    return fmt::format("{} [{}]", symbol.name, symbol.module);
  if (symbol.name == kUnknownName && !symbol.module.empty())
    return fmt::format("{} ({})", symbol.name, symbol.module);
  return symbol.name;
}

}  // namespace nettoll
