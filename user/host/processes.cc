// SPDX-License-Identifier: Apache-2.0
#include "host/processes.h"

#include "host/pid_stat.h"
#include "host/text.h"

namespace nettoll {

Result<NetProcesses> read_net_processes(const KernelFs& fs) {
  constexpr std::string_view kKsoftirqd = "ksoftirqd/";
  auto names = fs.list("/proc");
  if (!names) return names.error();
  NetProcesses found;
  bool irqbalance = false;
  for (const std::string& pid : *names) {
    if (!number_of(pid)) continue;
    const auto comm = fs.read_line(fmt::format("/proc/{}/comm", pid));
    if (!comm) continue;
    irqbalance = irqbalance || *comm == "irqbalance";
    if (!comm->starts_with(kKsoftirqd)) continue;
    const auto cpu = number_of<uint32_t>(std::string_view(*comm).substr(kKsoftirqd.size()));
    const auto line = fs.read_line(fmt::format("/proc/{}/stat", pid));
    const auto stat = line ? parse_pid_stat(*line) : std::nullopt;
    // Anybody may take the name.
    if (cpu && stat && stat->kernel_thread) found.ksoftirqd_ticks[*cpu] = stat->ticks;
  }
  if (irqbalance || !found.ksoftirqd_ticks.empty()) found.irqbalance = irqbalance;
  return found;
}

}  // namespace nettoll
