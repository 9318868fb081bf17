// SPDX-License-Identifier: Apache-2.0
// Owner of a zstd decompression context with bounded memory.
#pragma once

#include <zstd.h>

#include <memory>

namespace nettoll {

struct ZstdStreamDeleter {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};
using ZstdStream = std::unique_ptr<ZSTD_DStream, ZstdStreamDeleter>;

/// A new context, or null where there is no memory. The window of a frame, which a few bytes of it ask for,
/// is at most 2^`window_log` bytes.
inline ZstdStream make_zstd_stream(int window_log) {
  ZstdStream stream(ZSTD_createDStream());
  if (stream && ZSTD_isError(ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, window_log)))
    return {};
  return stream;
}

}  // namespace nettoll
