// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz_names.h"
#include "recording/recording.h"

namespace {

/// Most changes break the checksum of the frame, so the input is also taken for what is packed in one.
std::string packed(const uint8_t* data, size_t size) {
  std::string frame(ZSTD_compressBound(size), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), data, size, 1));
  return "NETTOLL 1 " + std::to_string(frame.size()) + "\n" + frame;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto plain = nettoll::decode_recording({reinterpret_cast<const char*>(data), size});
  if (plain) nettoll::hold(*plain);
  const auto inner = nettoll::decode_recording(packed(data, size));
  if (inner) nettoll::hold(*inner);
  return 0;
}
