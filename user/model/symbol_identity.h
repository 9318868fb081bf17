// SPDX-License-Identifier: Apache-2.0
// Which symbols are the same function.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/function.h"

namespace nettoll {

/// What makes two symbols the same: name and module. Views live as long as the symbol.
struct SymbolName {
  std::string_view name;
  std::string_view module;
  bool operator==(const SymbolName&) const = default;
};

struct SymbolNameHash {
  size_t operator()(const SymbolName& key) const {
    const std::hash<std::string_view> hash;
    return hash(key.name) * 31 + hash(key.module);
  }
};

/// Symbols by name and module.
using SymbolNumbers = std::unordered_map<SymbolName, uint32_t, SymbolNameHash>;

inline SymbolName name_of_symbol(const Symbol& symbol) {
  return {symbol.name, symbol.module};
}

/// A function's name without what compilers add: ".isra.0", ".constprop.1", ".part.2", ".cold", ".llvm.12". A
/// name may begin with a dot (entry points of some architectures): a suffix cannot be all of it.
inline std::string_view source_name(std::string_view name) {
  return name.substr(0, name.find('.', 1));
}

/// Symbols with equal name and module are one function; this maps each symbol to the first of its like.
std::vector<uint32_t> first_of_each_symbol(const std::vector<Symbol>& symbols);

}  // namespace nettoll
