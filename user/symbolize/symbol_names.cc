// SPDX-License-Identifier: Apache-2.0
#include "symbolize/symbol_names.h"

#include <algorithm>
#include <array>

namespace nettoll {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f');
}
bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// The name without its last suffix if that is one of a copy or part: ".<word>" or ".<word>.<number>".
std::string_view without_last_clone_suffix(std::string_view name) {
  constexpr std::array<std::string_view, 6> kWords{".isra", ".constprop", ".part",
                                                   ".cold", ".lto_priv",  ".localalias"};
  std::string_view body = name;
  if (const auto dot = body.rfind('.'); dot != std::string_view::npos && all_digits(body.substr(dot + 1)))
    body = body.substr(0, dot);
  for (const std::string_view word : kWords) {
    if (body.size() > word.size() && body.ends_with(word)) return body.substr(0, body.size() - word.size());
  }
  return name;
}

/// How little a name says about what runs at its address: 0 for a function.
int clutter(std::string_view name) {
  if (is_padding(name)) return 3;
  if (name == "_text" || name == "_stext" || name == "_etext" || name == "_sinittext" ||
      name == "_einittext" || name.ends_with("_text_start") || name.ends_with("_text_end"))
    return 2;
  return name.starts_with("__SCT__") || name.starts_with("__pi_") ? 1 : 0;
}

}  // namespace

std::string_view base_name(std::string_view name) {
  while (true) {
    const std::string_view shorter = without_last_clone_suffix(name);
    if (shorter.size() == name.size()) return name;
    name = shorter;
  }
}

std::string_view without_build_suffix(std::string_view name) {
  if (const auto llvm = name.find(".llvm."); llvm != std::string_view::npos && llvm > 0)
    name = name.substr(0, llvm);
  if (name.size() > 4 && name.ends_with(".cfi")) name.remove_suffix(4);
  return name;
}

bool is_mapping_symbol(std::string_view name) {
  return name.starts_with('$') || name.starts_with(".L") || name.starts_with("L0");
}

bool is_padding(std::string_view name) {
  return name.starts_with("__pfx_") || name.starts_with("__cfi_");
}

bool better_alias(const Alias& a, const Alias& b) {
  if (const int ca = clutter(a.name), cb = clutter(b.name); ca != cb) return ca < cb;
  if (a.global != b.global) return a.global;
  if (const bool ua = a.name.starts_with("__"), ub = b.name.starts_with("__"); ua != ub) return ub;
  if (a.name.size() != b.name.size()) return a.name.size() < b.name.size();
  return a.name < b.name;
}

std::optional<BpfProgramName> parse_bpf_program(std::string_view symbol) {
  constexpr std::string_view kPrefix = "bpf_prog_";
  constexpr size_t kTag = 16;  // BPF_TAG_SIZE bytes in hex
  if (!symbol.starts_with(kPrefix)) return std::nullopt;
  const std::string_view rest = symbol.substr(kPrefix.size());
  if (rest.size() < kTag) return std::nullopt;
  const std::string_view tag = rest.substr(0, kTag);
  if (!std::all_of(tag.begin(), tag.end(), is_hex)) return std::nullopt;
  if (rest.size() == kTag) return BpfProgramName{tag, {}};
  if (rest[kTag] != '_') return std::nullopt;
  return BpfProgramName{tag, rest.substr(kTag + 1)};
}

bool is_bpf_trampoline(std::string_view symbol) {
  constexpr std::string_view kPrefix = "bpf_trampoline_";
  if (!symbol.starts_with(kPrefix)) return false;
  const std::string_view rest = symbol.substr(kPrefix.size());
  const size_t end = rest.find('_');
  return all_digits(rest.substr(0, end)) &&
         (end == std::string_view::npos || all_digits(rest.substr(end + 1)));
}

std::string_view without_image_number(std::string_view trampoline) {
  const size_t prefix = std::string_view("bpf_trampoline_").size();
  return is_bpf_trampoline(trampoline) ? trampoline.substr(0, trampoline.find('_', prefix)) : trampoline;
}

}  // namespace nettoll
