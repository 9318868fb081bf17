// SPDX-License-Identifier: Apache-2.0
#include "model/symbol_identity.h"

namespace nettoll {

std::vector<uint32_t> first_of_each_symbol(const std::vector<Symbol>& symbols) {
  SymbolNumbers places;
  places.reserve(symbols.size());
  std::vector<uint32_t> first;
  first.reserve(symbols.size());
  for (uint32_t i = 0; i < symbols.size(); ++i) {
    first.push_back(places.emplace(name_of_symbol(symbols[i]), i).first->second);
  }
  return first;
}

}  // namespace nettoll
