// SPDX-License-Identifier: Apache-2.0
// The head of /proc/interrupts and /proc/softirqs, which says whose columns follow.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace nettoll {

/// The ids in "   CPU0   CPU2 ...", in their order. Ids may have holes. Fails where there are none, or a word
/// is anything else.
Result<std::vector<uint32_t>> parse_cpu_header(std::string_view line);

}  // namespace nettoll
