// SPDX-License-Identifier: Apache-2.0
// What the parts of a symbol's name mean. Pure functions over text.
#pragma once

#include <optional>
#include <string_view>

namespace nettoll {

/// The function as its source names it: without the suffixes of copies and parts that compilers split off
/// (.isra.0, .constprop.0, .part.0, .cold, .lto_priv.0 and any run of them). For a reader a function and its
/// cold part are one.
std::string_view base_name(std::string_view name);

/// Without what Clang adds to every name: .llvm.<hash> (ThinLTO) and .cfi. "foo.cfi_jt" is a jump table's
/// entry and stays.
std::string_view without_build_suffix(std::string_view name);

/// True for symbols that mark bytes, not code: $x, $d (arm64, riscv), .L and L0 labels
/// (is_mapping_symbol in include/linux/module_symbol.h).
bool is_mapping_symbol(std::string_view name);

/// True for the padding before a function: __pfx_ (x86 CONFIG_FUNCTION_PADDING) and __cfi_ (kCFI).
bool is_padding(std::string_view name);

/// Names at one address: true where `a` says better than `b` what runs there. A function before a section's
/// mark, a static call's trampoline or padding; then global before local, no leading "__" before one, the
/// shorter, and last by the alphabet so that the choice never depends on the order of lines.
struct Alias {
  std::string_view name;
  bool global = false;
};
bool better_alias(const Alias& a, const Alias& b);

/// A BPF program's parts in kallsyms, bpf_prog_<16 hex digits of its tag>[_<name>] (bpf_get_prog_name in
/// kernel/bpf/core.c).
struct BpfProgramName {
  std::string_view tag;
  std::string_view name;  ///< "" where the program has none
};
std::optional<BpfProgramName> parse_bpf_program(std::string_view symbol);

/// True for bpf_trampoline_<key> and, of older kernels, bpf_trampoline_<key>_<image>: images follow one
/// another as programs come and go (bpf_tramp_image_alloc in kernel/bpf/trampoline.c). Key and image are
/// numbers.
bool is_bpf_trampoline(std::string_view symbol);

/// bpf_trampoline_<key> of either form; any other name as it is.
std::string_view without_image_number(std::string_view trampoline);

}  // namespace nettoll
