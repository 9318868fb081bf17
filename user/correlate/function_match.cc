// SPDX-License-Identifier: Apache-2.0
#include "correlate/function_match.h"
#include "model/symbol_identity.h"

#include <map>
#include <string>
#include <tuple>

namespace nettoll {
namespace {

/// What is equal in functions that match, by strictness.
using Key = std::tuple<SymbolKind, std::string_view, std::string_view>;

Key whole(const Symbol& symbol) {
  return {symbol.kind, symbol.module, symbol.name};
}
Key name_alone(const Symbol& symbol) {
  return {symbol.kind, "", symbol.name};
}
Key source(const Symbol& symbol) {
  return {symbol.kind, symbol.module, source_name(symbol.name)};
}

/// Kernel functions move between a module and the kernel itself, not from module to module.
bool may_move(const Symbol& a, const Symbol& b) {
  if (a.kind != SymbolKind::kernel || a.module == b.module) return true;
  return a.module == kVmlinux || b.module == kVmlinux;
}

/// Pairs what stands alone under its key on both sides, among what has no partner yet.
class Matcher {
 public:
  Matcher(std::span<const Symbol> a, std::span<const Symbol> b)
      : a_(a), b_(b), partner_(a.size()), taken_(b.size(), false) {}

  void match(Key (*key)(const Symbol&)) {
    struct Seen {
      std::vector<uint32_t> a;
      std::vector<uint32_t> b;
    };
    std::map<Key, Seen> groups;
    for (uint32_t i = 0; i < a_.size(); ++i) {
      if (!partner_[i]) groups[key(a_[i])].a.push_back(i);
    }
    for (uint32_t i = 0; i < b_.size(); ++i) {
      if (!taken_[i]) groups[key(b_[i])].b.push_back(i);
    }
    for (const auto& [unused, seen] : groups) {
      if (seen.a.size() != 1 || seen.b.size() != 1) continue;
      if (!may_move(a_[seen.a.front()], b_[seen.b.front()])) continue;
      partner_[seen.a.front()] = seen.b.front();
      taken_[seen.b.front()] = true;
    }
  }

  std::vector<MatchedFunction> result() const {
    std::vector<MatchedFunction> all;
    for (uint32_t i = 0; i < a_.size(); ++i) all.push_back({i, partner_[i]});
    for (uint32_t i = 0; i < b_.size(); ++i) {
      if (!taken_[i]) all.push_back({std::nullopt, i});
    }
    return all;
  }

 private:
  std::span<const Symbol> a_;
  std::span<const Symbol> b_;
  std::vector<std::optional<uint32_t>> partner_;
  std::vector<bool> taken_;
};

std::vector<Symbol> symbols_of(const CostTable& cost) {
  std::vector<Symbol> symbols;
  symbols.reserve(cost.functions.size());
  for (const FunctionCost& function : cost.functions) symbols.push_back(function.symbol);
  return symbols;
}

}  // namespace

std::vector<MatchedFunction> match_functions(std::span<const Symbol> a, std::span<const Symbol> b) {
  Matcher matcher(a, b);
  matcher.match(whole);
  matcher.match(name_alone);
  matcher.match(source);
  return matcher.result();
}

std::vector<MatchedFunction> match_functions(const CostTable& a, const CostTable& b) {
  return match_functions(symbols_of(a), symbols_of(b));
}

}  // namespace nettoll
