// SPDX-License-Identifier: Apache-2.0
// nettoll's own process as the standard process_* metrics describe one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/kernel_fs.h"

namespace nettoll::exporter {

/// Each figure is empty where /proc did not give it.
struct ProcessStats {
  std::optional<double> cpu_seconds = {};         ///< user and system time of all threads
  std::optional<double> start_time_seconds = {};  ///< since the epoch
  std::optional<uint64_t> virtual_bytes = {};
  std::optional<uint64_t> resident_bytes = {};
  std::optional<uint64_t> open_fds = {};
  std::optional<uint64_t> max_fds = {};  ///< soft limit; empty when unlimited

  bool operator==(const ProcessStats&) const = default;
};

/// Reads /proc/self/stat, /proc/self/fd, /proc/self/limits and the boot time of /proc/stat (proc(5)). A file
/// that cannot be read costs its figures only.
ProcessStats read_process(const KernelFs& fs);

/// What /proc/self/stat says; `ticks_per_second` is sysconf(_SC_CLK_TCK). `boot_seconds` is btime of
/// /proc/stat.
ProcessStats parse_process_stat(std::string_view stat, double ticks_per_second, uint64_t page_bytes,
                                std::optional<uint64_t> boot_seconds);

}  // namespace nettoll::exporter
