// SPDX-License-Identifier: Apache-2.0
// Whether bytes are CBOR that is safe to hand to a parser.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace nettoll {

/// Deepest nesting that is taken. A recording needs 5.
inline constexpr size_t kMaxCborDepth = 16;

/// Walks the heads of all data items in `bytes` (RFC 8949, section 3) without recursion and without a copy.
/// True CBOR that recordings do not use is refused with the rest: tags, indefinite lengths, and values of two
/// bytes.
///
/// The parser behind it (nlohmann::json) recurses for each level of arrays and for nested indefinite strings,
/// so that a few kilobytes could take its stack, and it builds a tree of 16 to 80 bytes an item.
Status check_cbor(std::string_view bytes, size_t max_items);

}  // namespace nettoll
