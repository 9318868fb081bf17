// SPDX-License-Identifier: Apache-2.0
// Lengths of time as people type them.
#pragma once

#include <chrono>
#include <string_view>

#include "base/result.h"

namespace nettoll {

/// Parses "10" (seconds), "10s", "0.5s", "500ms", "1m" (a minute) and "2h". Anything else, zero, and more
/// than 292 years (the range of 64 bits of nanoseconds) are usage errors.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);

}  // namespace nettoll
