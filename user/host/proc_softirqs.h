// SPDX-License-Identifier: Apache-2.0
// /proc/softirqs (show_softirqs in fs/proc/softirqs.c).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace nettoll {

struct SoftirqTable {
  /// Runs since boot by CPU id and name ("NET_RX"). All possible CPUs have a column, not only online ones.
  std::map<uint32_t, std::map<std::string, uint64_t>> by_cpu;
  uint64_t skipped = 0;  ///< rows that could not be read
};

/// Fails where the first line names no CPUs. A row with other than one count a CPU is skipped.
Result<SoftirqTable> parse_softirqs(std::string_view text);

}  // namespace nettoll
