// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_nodes.h"

#include <limits>

#include "host/text.h"

namespace nettoll {

std::map<uint32_t, int> read_cpu_nodes(const KernelFs& fs) {
  constexpr std::string_view kFolder = "/sys/devices/system/node", kPrefix = "node";
  std::map<uint32_t, int> nodes;
  const auto names = fs.list(kFolder);
  if (!names) return nodes;
  for (const std::string& name : *names) {
    const std::string_view digits = std::string_view(name).substr(std::min(name.size(), kPrefix.size()));
    const auto node = name.starts_with(kPrefix) ? number_of<uint32_t>(digits) : std::nullopt;
    if (!node || *node > static_cast<uint32_t>(std::numeric_limits<int>::max())) continue;
    const auto line = fs.read_line(fmt::format("{}/{}/cpulist", kFolder, name));
    const auto cpus = line ? parse_cpu_list(*line) : Result<CpuSet>(line.error());
    if (!cpus) continue;
    for (const uint32_t cpu : cpus->ids) nodes[cpu] = static_cast<int>(*node);
  }
  return nodes;
}

}  // namespace nettoll
