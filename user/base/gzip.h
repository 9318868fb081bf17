// SPDX-License-Identifier: Apache-2.0
// Packing with gzip.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace nettoll {

/// `text` as one gzip member (RFC 1952), at zlib's fastest level: metrics shrink about tenfold at any level,
/// and the level decides how long a scrape takes. The same text always gives the same bytes.
Result<std::string> gzip(std::string_view text);

}  // namespace nettoll
