// SPDX-License-Identifier: Apache-2.0
// From sums to the sorted rows of the cost table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "correlate/function_sums.h"
#include "correlate/stack_walk.h"
#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll {

/// Every function that was sampled or whose calls were counted, sorted as CostTable::functions says.
std::vector<FunctionCost> function_rows(const Profile& profile, const std::vector<uint32_t>& first,
                                        const FunctionSums& sums);

/// One row for each CPU and event that was measured.
std::vector<CpuCost> cpu_rows(const ScaleTable& scale, size_t events, const StackWalk& walk);

/// The sum over CPUs, with packets where the profile counted them.
std::vector<PathCost> path_rows(const Profile& profile, const std::vector<CpuCost>& cpus);

/// The sum over functions.
std::vector<ModuleCost> module_rows(const std::vector<FunctionCost>& functions, size_t events);

}  // namespace nettoll
