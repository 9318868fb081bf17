// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string_view>

#include "fuzz/fuzz_names.h"
#include "recording/limits.h"
#include "recording/profile_codec.h"
#include "recording/recording.h"

/// Most changes to a recording break the checksum of its frame, so the input is also taken for what a frame
/// holds: the same steps as in decode_recording(), without packing it first and making a zstd context, which
/// would take most of the time.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = nettoll::decode_recording(bytes);
  if (whole) nettoll::hold(*whole);
  const auto inner = nettoll::decode_profile(bytes, nettoll::limits_for(size));
  if (inner && nettoll::check_profile(*inner)) nettoll::hold(*inner);
  return 0;
}
