// SPDX-License-Identifier: Apache-2.0
#include "host/net_settings.h"

#include "host/text.h"

namespace nettoll {

NetSettings read_net_settings(const KernelFs& fs, std::vector<std::string>& notes) {
  NetSettings settings;
  const struct {
    const char* name;
    std::optional<uint64_t>& value;
  } rows[] = {
      {"netdev_budget", settings.netdev_budget},
      {"netdev_budget_usecs", settings.netdev_budget_usecs},
      {"netdev_max_backlog", settings.netdev_max_backlog},
      {"rps_sock_flow_entries", settings.rps_sock_flow_entries},
      {"busy_poll", settings.busy_poll},
      {"busy_read", settings.busy_read},
      {"rmem_default", settings.rmem_default},
      {"rmem_max", settings.rmem_max},
  };
  std::string absent;
  for (const auto& row : rows) {
    const auto line = fs.read_line(fmt::format("/proc/sys/net/core/{}", row.name));
    if (line) row.value = number_of(trimmed(*line));
    if (!row.value) absent += (absent.empty() ? "" : ", ") + std::string(row.name);
  }
  if (!absent.empty())
    notes.push_back(fmt::format("{} does not tell {}.", fs.path("/proc/sys/net/core"), absent));
  return settings;
}

}  // namespace nettoll
