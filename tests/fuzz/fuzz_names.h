// SPDX-License-Identifier: Apache-2.0
// Names for addresses of hostile captures, and what must hold for every profile that a reader gives.
#pragma once

#include <cstdlib>

#include "correlate/correlate.h"
#include "ingest/code_names.h"
#include "recording/profile_check.h"

namespace nettoll {

/// One name for each 64 bytes.
class FuzzNames : public CodeNames {
 public:
  std::vector<std::string> prepare(const CaptureFacts&) override { return {}; }
  CodeName kernel(uint64_t address, std::string_view module) override {
    if (address % 3 == 0) return UnnamedCause::kernel_hole;
    return Symbol{std::to_string(address >> 6), std::string(module), SymbolKind::kernel};
  }
  CodeName user(const MappedFile& file, uint64_t file_offset) override {
    return Symbol{std::to_string(file_offset >> 6), file.path, SymbolKind::user};
  }
};

/// Ends the program where a profile refers to what it does not hold, or the join does not take it.
inline void hold(const Profile& profile) {
  if (!check_profile(profile)) std::abort();
  correlate(profile);
}

}  // namespace nettoll
