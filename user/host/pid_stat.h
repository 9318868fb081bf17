// SPDX-License-Identifier: Apache-2.0
// /proc/PID/stat (proc_pid_stat(5)).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nettoll {

struct PidStat {
  std::string comm;  ///< may hold spaces and parentheses
  bool kernel_thread = false;
  uint64_t ticks = 0;  ///< user and system time, in clock ticks
};

/// Absent where the text is not such a line.
std::optional<PidStat> parse_pid_stat(std::string_view line);

}  // namespace nettoll
