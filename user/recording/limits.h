// SPDX-License-Identifier: Apache-2.0
// How much a recording may unfold to.
#pragma once

#include <cstddef>

namespace nettoll {

/// Bounds on what a recording of a given size may make its reader allocate. Both sides hold to them: what
/// would be refused is not written.
struct RecordingLimits {
  size_t payload_bytes;  ///< of CBOR
  size_t items;          ///< CBOR data items; each costs its reader up to about 80 bytes
  size_t string_bytes;   ///< of all strings in the profile, which a recording holds once each
};

/// Longest recording that is read or written, in bytes.
inline constexpr size_t kMaxRecordingBytes = size_t{1} << 30;

/// The bounds for a recording of `bytes`. A base that an idle host with thousands of CPUs needs (its zeros
/// compress to nothing), and a share of the file's own size, well above the 3 to 20 times of real ones.
inline RecordingLimits limits_for(size_t bytes) {
  constexpr size_t kMega = size_t{1} << 20;
  return {.payload_bytes = 64 * kMega + 200 * bytes,
          .items = 4 * kMega + 32 * bytes,
          .string_bytes = 64 * kMega + 200 * bytes};
}

}  // namespace nettoll
