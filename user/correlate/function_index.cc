// SPDX-License-Identifier: Apache-2.0
#include "correlate/function_index.h"

#include <string_view>
#include <unordered_map>

namespace nettoll {
namespace {

/// The name that the source gave to a whole function which the compiler renamed; "" for every other, also for
/// parts of functions (.part, .cold).
std::string_view renamed_from(std::string_view name) {
  const size_t dot = name.find('.', 1);
  if (dot == std::string_view::npos) return {};
  const std::string_view suffix = name.substr(dot);
  if (suffix.find(".part.") != suffix.npos || suffix.find(".cold") != suffix.npos) return {};
  const bool renamed =
      suffix.starts_with(".isra.") || suffix.starts_with(".constprop.") || suffix.starts_with(".llvm.");
  return renamed ? name.substr(0, dot) : std::string_view{};
}

/// Renamed symbols by the name in the source, where only one has it.
SymbolNumbers sole_renamed(const std::vector<Symbol>& symbols, const std::vector<uint32_t>& first) {
  constexpr uint32_t kSeveral = UINT32_MAX;
  SymbolNumbers found;
  for (uint32_t i = 0; i < symbols.size(); ++i) {
    if (first[i] != i || symbols[i].kind != SymbolKind::kernel) continue;
    const std::string_view name = renamed_from(symbols[i].name);
    if (name.empty()) continue;
    const auto [place, is_new] = found.emplace(SymbolName{name, symbols[i].module}, i);
    if (!is_new) place->second = kSeveral;
  }
  std::erase_if(found, [](const auto& entry) { return entry.second == kSeveral; });
  return found;
}

}  // namespace

std::vector<CountedCalls> calls_by_function(const Profile& profile) {
  std::vector<std::optional<uint64_t>> sums(profile.session.functions.size());
  for (const auto& row : profile.calls) sums[row.function] = sums[row.function].value_or(0) + row.total();
  std::vector<CountedCalls> calls;
  for (uint32_t i = 0; i < sums.size(); ++i) {
    if (sums[i]) calls.push_back({i, *sums[i]});
  }
  return calls;
}

std::vector<std::optional<uint32_t>> symbols_of_functions(const Profile& profile,
                                                          const std::vector<uint32_t>& first) {
  SymbolNumbers exact;
  exact.reserve(profile.symbols.size());
  for (uint32_t i = 0; i < profile.symbols.size(); ++i) {
    if (first[i] == i) exact.emplace(name_of_symbol(profile.symbols[i]), i);
  }
  const SymbolNumbers renamed = sole_renamed(profile.symbols, first);

  std::vector<std::optional<uint32_t>> symbols;
  symbols.reserve(profile.session.functions.size());
  for (const auto& function : profile.session.functions) {
    const SymbolName key{function.name, function.module};
    std::optional<uint32_t> symbol;
    if (const auto it = exact.find(key); it != exact.end()) {
      symbol = it->second;
    } else if (function.state == CountState::proxied) {
      if (const auto clone = renamed.find(key); clone != renamed.end()) symbol = clone->second;
    }
    symbols.push_back(symbol);
  }
  return symbols;
}

}  // namespace nettoll
