// SPDX-License-Identifier: Apache-2.0
// Sets of CPU ids as the kernel prints them. Ids may have holes and may exceed the number of CPUs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace nettoll {

/// A sorted list of CPU ids without duplicates.
struct CpuSet {
  std::vector<uint32_t> ids;

  bool contains(uint32_t cpu) const;
  bool empty() const { return ids.empty(); }
  size_t size() const { return ids.size(); }
  /// The smallest size an array indexed by CPU id may have; 0 for the empty set.
  uint32_t limit() const { return ids.empty() ? 0 : ids.back() + 1; }
  bool operator==(const CpuSet&) const = default;
};

/// Parses the list format of /sys/devices/system/cpu/online and perf's -C, such as "0-3,8,10-11" (also with a
/// stride, "0-6:2/4", as Documentation/admin-guide/kernel-parameters has it). An empty text is the empty set.
/// Ids above 65535 are refused.
Result<CpuSet> parse_cpu_list(std::string_view text);

/// Parses a mask of comma-separated groups of 32 bits, most significant first, as in rps_cpus and
/// smp_affinity.
Result<CpuSet> parse_cpu_mask(std::string_view text);

/// The list format again: "0-3,8".
std::string format_cpu_list(const CpuSet& set);

}  // namespace nettoll
