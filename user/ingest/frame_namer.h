// SPDX-License-Identifier: Apache-2.0
// From addresses of a capture to symbols of a profile.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/address_spaces.h"
#include "ingest/code_names.h"
#include "ingest/foreign_profile.h"
#include "ingest/frame_cache.h"
#include "ingest/perf_abi.h"

namespace nettoll {

/// Looks up each address of a space once. Keeps references to what it is made of.
class FrameNamer {
 public:
  FrameNamer(const AddressSpaces& spaces, CodeNames& names, ForeignProfile& profile)
      : spaces_(spaces), names_(names), profile_(profile) {}

  /// The symbol at an address where the CPU was in `mode`. `leaf` tells the place of the sample from its
  /// callers, of which one without a mapping has another cause.
  uint32_t symbol(uint8_t mode, uint32_t space, uint64_t address, bool leaf) {
    const FrameKey key{address, space, static_cast<uint8_t>(mode | (leaf ? 0 : 8))};
    return cache_.find_or(key, [&] { return add(mode, space, address, leaf); });
  }
  /// frame_below_is_exact() of a symbol.
  bool exact_below(uint32_t symbol) const { return symbol < exact_below_.size() && exact_below_[symbol]; }
  uint64_t memory_bytes() const { return cache_.memory_bytes() + profile_.memory_bytes(); }

 private:
  uint32_t add(uint8_t mode, uint32_t space, uint64_t address, bool leaf);
  CodeName kernel(uint32_t space, uint64_t address);
  CodeName user(uint32_t space, uint64_t address, bool leaf);

  const AddressSpaces& spaces_;
  CodeNames& names_;
  ForeignProfile& profile_;
  FrameCache cache_;
  std::vector<bool> exact_below_;  ///< by symbol
  Symbol place_;                   ///< of the frame at hand, where it has no name
};

}  // namespace nettoll
