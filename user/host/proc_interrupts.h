// SPDX-License-Identifier: Apache-2.0
// /proc/interrupts (show_interrupts in kernel/irq/proc.c).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace nettoll {

/// One numbered interrupt.
struct InterruptRow {
  std::string name;              ///< of who handles it, several parted by ", "; empty where nobody does
  std::vector<uint64_t> by_cpu;  ///< since boot, indexed by CPU id; 0 for ids that have no column
};

struct InterruptTable {
  std::map<uint32_t, InterruptRow> rows;  ///< by number; NMI, LOC, ERR and their like are left out
  uint64_t skipped = 0;                   ///< numbered rows that could not be read
};

/// Fails where the first line names no CPUs. A row whose counts are missing or do not fit is skipped.
Result<InterruptTable> parse_interrupts(std::string_view text);

}  // namespace nettoll
