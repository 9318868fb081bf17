// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ingest/byte_source.h"

namespace nettoll {

/// What is in a gzip file (RFC 1952), members after one another as one.
Result<std::unique_ptr<ByteSource>> unpack_gzip(std::unique_ptr<ByteSource> packed);

}  // namespace nettoll
