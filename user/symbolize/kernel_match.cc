// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kernel_match.h"

#include <fmt/format.h>

#include <cstring>

namespace nettoll {
namespace {

constexpr const char* kGiveFile = "give '--kallsyms FILE' with that host's /proc/kallsyms, read by root";

KernelMatch refused(std::string why) {
  return {false, 0, false, fmt::format("kernel functions have no names: {}; {}", why, kGiveFile)};
}

/// Sets the shift by the reference symbol, where both know it.
void place(const KernelIdentity& capture, const KernelIdentity& symbols, KernelMatch& match) {
  match.modules = true;
  if (!capture.reference || !symbols.reference) return;
  match.shift = *capture.reference - *symbols.reference;
  if (match.shift == 0) return;
  match.modules = false;
  match.note = fmt::format(
      "the kernel symbols are of another boot, {:+#x} away: the kernel's functions are named by that "
      "distance, functions "
      "of modules are not",
      static_cast<int64_t>(match.shift));
}

}  // namespace

KernelMatch match_kernel(const KernelIdentity& capture, const KernelIdentity& symbols, SymbolOrigin origin) {
  KernelMatch match;
  match.use = true;
  if (origin == SymbolOrigin::given) {
    place(capture, symbols, match);
    return match;
  }
  std::string by_release;
  if (!capture.build_id.empty() && !symbols.build_id.empty()) {
    if (capture.build_id != symbols.build_id)
      return refused("the capture is of another kernel build than this host's");
  } else if (capture.release.empty()) {
    return refused("the capture does not say which kernel it is of");
  } else if (capture.release != symbols.release) {
    return refused(
        fmt::format("the capture is of kernel {}, this host runs {}", capture.release, symbols.release));
  } else {
    by_release =
        "kernel symbols are this host's because the release is the same; the capture has no build id to be "
        "sure";
  }
  // Where a kernel was cannot be told without the symbol; names from a wrong place would be wrong names.
  if (!capture.reference) return refused("the capture does not say where its kernel was");
  place(capture, symbols, match);
  if (match.note.empty()) match.note = by_release;
  return match;
}

std::string build_id_of_notes(std::string_view notes) {
  struct Header {
    uint32_t name_size;
    uint32_t size;
    uint32_t type;
  };
  constexpr uint32_t kGnuBuildId = 3;
  const auto padded = [](size_t size) { return (size + 3) & ~size_t{3}; };
  while (notes.size() >= sizeof(Header)) {
    Header header;
    std::memcpy(&header, notes.data(), sizeof header);
    notes.remove_prefix(sizeof header);
    if (padded(header.name_size) > notes.size()) return "";
    const std::string_view name = notes.substr(0, header.name_size);
    notes.remove_prefix(padded(header.name_size));
    if (header.size > notes.size()) return "";
    if (header.type == kGnuBuildId && name == std::string_view("GNU\0", 4)) {
      std::string hex;
      for (const char byte : notes.substr(0, header.size))
        hex += fmt::format("{:02x}", static_cast<uint8_t>(byte));
      return hex;
    }
    notes.remove_prefix(std::min(padded(header.size), notes.size()));
  }
  return "";
}

}  // namespace nettoll
