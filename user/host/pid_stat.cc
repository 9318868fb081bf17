// SPDX-License-Identifier: Apache-2.0
#include "host/pid_stat.h"

#include <vector>

#include "host/text.h"

namespace nettoll {

std::optional<PidStat> parse_pid_stat(std::string_view line) {
  // Fields behind the name, from the state on.
  constexpr size_t kFlags = 6, kUser = 11, kSystem = 12;
  constexpr uint64_t kKernelThread = 0x00200000;  // PF_KTHREAD, include/linux/sched.h
  const size_t open = line.find('('), close = line.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  const std::vector<std::string_view> fields = words_of(line.substr(close + 1));
  if (fields.size() <= kSystem) return std::nullopt;
  const auto flags = number_of(fields[kFlags]), user = number_of(fields[kUser]),
             system = number_of(fields[kSystem]);
  if (!flags || !user || !system) return std::nullopt;
  return PidStat{std::string(line.substr(open + 1, close - open - 1)), (*flags & kKernelThread) != 0,
                 *user + *system};
}

}  // namespace nettoll
