// SPDX-License-Identifier: Apache-2.0
// How much a recording may unfold to.
#pragma once

#include <cstddef>

namespace nettoll {

/// Bounds on what a recording of a given size may make its reader allocate. Both sides hold to them: what
/// would be refused is not written.
struct RecordingLimits {
  size_t payload_bytes = 0;  ///< of CBOR
  size_t items = 0;          ///< CBOR data items; each costs its reader up to about 80 bytes
  /// Of all strings in the profile. A recording holds each string once, and a few bytes may refer to it.
  size_t string_bytes = 0;
};

/// Longest recording that is read or written, in bytes.
inline constexpr size_t kMaxRecordingBytes = size_t{1} << 30;

/// The bounds for a recording of `bytes`: what an idle host with thousands of CPUs needs (its zeros compress
/// to nothing), and a share of the file's own size.
constexpr RecordingLimits limits_for(size_t bytes) {
  constexpr size_t kMega = size_t{1} << 20;
  return {.payload_bytes = 64 * kMega + 200 * bytes,
          .items = 4 * kMega + 32 * bytes,
          .string_bytes = 64 * kMega + 200 * bytes};
}

}  // namespace nettoll
