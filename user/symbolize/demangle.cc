// SPDX-License-Identifier: Apache-2.0
#include "symbolize/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace nettoll {
namespace {

/// "f(int, char (*)(long)) const" to "f". Without parameters it is left as it is.
std::string_view without_parameters(std::string_view text) {
  const size_t close = text.rfind(')');
  if (close == std::string_view::npos) return text;
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) {
      const std::string_view before = text.substr(0, i);
      return before.empty() || before.ends_with("operator") || before.ends_with("::") ? text : before;
    }
  }
  return text;
}

/// "void f<int>" to "f<int>": only templates carry their return type. Spaces inside brackets are part of a
/// name.
std::string_view without_return_type(std::string_view text) {
  int depth = 0;
  size_t begin = 0;
  if (!text.ends_with('>')) return text;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (depth == 0 && text.substr(i).starts_with("operator")) break;
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == ']' || c == '}') --depth;
    if (c == ' ' && depth == 0) begin = i + 1;
  }
  return text.substr(begin);
}

/// Rust's legacy mangling ends in "::h" and a hash of 16 digits.
std::string_view without_rust_hash(std::string_view text) {
  constexpr size_t kHash = 19;
  if (text.size() <= kHash) return text;
  const std::string_view hash = text.substr(text.size() - kHash);
  const bool is_hash =
      hash.starts_with("::h") && hash.substr(3).find_first_not_of("0123456789abcdef") == hash.npos;
  return is_hash ? text.substr(0, text.size() - kHash) : text;
}

struct Free {
  void operator()(char* text) const { std::free(text); }
};

}  // namespace

std::string demangled(const char* name) {
  if (!std::string_view(name).starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, Free> text(abi::__cxa_demangle(name, nullptr, nullptr, &status));
  if (status != 0 || !text) return name;
  return std::string(without_rust_hash(without_return_type(without_parameters(text.get()))));
}

}  // namespace nettoll
