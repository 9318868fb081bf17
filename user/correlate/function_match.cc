// SPDX-License-Identifier: Apache-2.0
#include "correlate/function_match.h"

#include <map>
#include <string>
#include <tuple>

#include "model/symbol_identity.h"

namespace nettoll {
namespace {

/// What is equal in functions that match, by strictness.
using Key = std::tuple<SymbolKind, std::string_view, std::string_view>;

bool is_unnamed(const Symbol& symbol) {
  return symbol.name == kUnknownName;
}

/// What it is of code without a name readers tell in their own ways.
SymbolKind kind_of(const Symbol& symbol) {
  return is_unnamed(symbol) ? SymbolKind::unknown : symbol.kind;
}

/// The function in the source. Names of other languages than C hold dots ("main.run", "f(char*, ...)"): in
/// user code it is only what GCC and LLVM add that does not count.
std::string_view source_of(const Symbol& symbol) {
  if (symbol.kind != SymbolKind::user) return source_name(symbol.name);
  std::string_view name = symbol.name;
  for (const std::string_view suffix : {".isra", ".constprop", ".part", ".cold", ".lto_priv", ".llvm"}) {
    const size_t at = name.find(suffix);
    if (at == 0 || at == std::string_view::npos) continue;
    const size_t end = at + suffix.size();
    if (end == name.size() || name[end] == '.') name = name.substr(0, at);
  }
  return name;
}

Key whole(const Symbol& symbol) {
  return {kind_of(symbol), symbol.module, symbol.name};
}
/// In another place: a program's file in another folder, a module that is built in.
Key moved(const Symbol& symbol) {
  const bool in_kernel = symbol.kind != SymbolKind::user && !is_unnamed(symbol);
  return {kind_of(symbol), in_kernel ? "" : module_key(symbol), symbol.name};
}
Key source(const Symbol& symbol) {
  return {kind_of(symbol), module_key(symbol), source_of(symbol)};
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

std::string_view module_key(const Symbol& symbol) {
  const std::string_view module = symbol.module;
  // npos + 1 is 0: all of it.
  return module.substr(module.rfind('/') + 1);
}

std::vector<MatchedFunction> match_functions(std::span<const Symbol> a, std::span<const Symbol> b) {
  Matcher matcher(a, b);
  matcher.match(whole);
  matcher.match(moved);
  matcher.match(source);
  return matcher.result();
}

std::vector<MatchedFunction> match_functions(const CostTable& a, const CostTable& b) {
  return match_functions(symbols_of(a), symbols_of(b));
}

}  // namespace nettoll
