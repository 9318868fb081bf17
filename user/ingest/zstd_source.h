// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ingest/byte_source.h"

namespace nettoll {

/// What is in a file of zstd frames (RFC 8878), frames after one another as one. Frames whose window is over
/// 32 MB, which zstd(1) makes with --ultra or --long alone, are refused as damage.
Result<std::unique_ptr<ByteSource>> unpack_zstd(std::unique_ptr<ByteSource> packed);

}  // namespace nettoll
