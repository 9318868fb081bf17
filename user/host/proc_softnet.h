// SPDX-License-Identifier: Apache-2.0
// /proc/net/softnet_stat (softnet_seq_show in net/core/net-procfs.c): a row of hexadecimal numbers of 32 bits
// for each online CPU, of 9 to 15 columns by the kernel's age.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "base/cpu_set.h"
#include "base/result.h"
#include "model/host_state.h"

namespace nettoll {

/// Rows by CPU id: that of the 13th column, and in older kernels, which lack it, that of the row's
/// place among `online`. Fails on a row that is too short or holds anything else, where two rows name one
/// CPU, and where rows without ids are more or fewer than online CPUs: whose they are is not known then.
Result<std::map<uint32_t, Softnet>> parse_softnet(std::string_view text, const CpuSet& online);

}  // namespace nettoll
