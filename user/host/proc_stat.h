// SPDX-License-Identifier: Apache-2.0
// The CPU times of /proc/stat (proc_stat(5)).
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "base/result.h"
#include "model/host_state.h"

namespace nettoll {

/// Times since boot by CPU id, in clock ticks; only online CPUs have a row. Fails where there is no such row,
/// or one has fewer than eight times or something else in their place.
Result<std::map<uint32_t, CpuTimes>> parse_cpu_times(std::string_view text);

}  // namespace nettoll
