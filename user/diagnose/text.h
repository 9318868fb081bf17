// SPDX-License-Identifier: Apache-2.0
// Words of findings: CPU lists, masks, commands.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/cpu_set.h"
#include "model/finding.h"

namespace nettoll {

/// A mask as rps_cpus takes it: hexadecimal groups of 32 bits, most significant first, "1,00000000".
std::string format_cpu_mask(const CpuSet& cpus);

/// "0-3,8"; the ids need not be sorted.
std::string cpu_list(std::vector<uint32_t> ids);

/// "a, b and c".
std::string join(std::span<const std::string> words);

/// part / whole in percent, 0 where there is no whole.
double percent(double part, double whole);

/// "CPU 3".
std::string cpu_subject(uint32_t cpu);

/// A loss of `lost` packets out of `of` (0: unknown) in `seconds`.
Severity loss_severity(double lost, double of, double seconds);

}  // namespace nettoll
