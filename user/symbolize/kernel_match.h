// SPDX-License-Identifier: Apache-2.0
// Whether symbols of one kernel may name addresses of another's capture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nettoll {

/// A kernel as far as it is known; "" and nothing where it is not.
struct KernelIdentity {
  std::string build_id;  ///< lower-case hex
  std::string release;   ///< uname -r
  /// Where the symbol that both sides know, _text or _stext, was at that boot.
  std::optional<uint64_t> reference;
};

/// Where symbols come from.
enum class SymbolOrigin : uint8_t {
  given,  ///< a file that the user named: it is of the right kernel
  host,   ///< /proc/kallsyms of this host, which need not have to do with the capture
};

/// What may be done with them.
struct KernelMatch {
  bool use = false;
  /// To subtract from an address of the capture before it is looked up: kernels move at each boot.
  uint64_t shift = 0;
  /// Whether modules are where these symbols have them, which only the same boot guarantees.
  bool modules = false;
  std::string note;  ///< what a reader has to know, "" for nothing
};

/// Decides. Symbols of this host serve where the build ids are equal, or, where either is unknown, the
/// releases.
KernelMatch match_kernel(const KernelIdentity& capture, const KernelIdentity& symbols, SymbolOrigin origin);

/// The GNU build id in ELF notes as /sys/kernel/notes has them; "" where there is none.
std::string build_id_of_notes(std::string_view notes);

}  // namespace nettoll
