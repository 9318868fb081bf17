// SPDX-License-Identifier: Apache-2.0
#include "report/cpu_shares.h"

#include <algorithm>
#include <map>

#include "model/ratios.h"

namespace nettoll {

double whole_time(const CpuCost& clock) {
  double sampled = 0;
  for (const Estimate& part : clock.paths) sampled += part.value;
  // Of windows that follow one another, this one's samples may stand for time of earlier ones.
  return std::max(clock.count, sampled);
}

std::vector<CpuShare> cpu_shares(const std::vector<Event>& events, const CostTable& cost) {
  const EventRoles roles = roles_of(events);
  std::map<uint32_t, CpuShare> rows;
  for (const CpuCost& row : cost.cpus) {
    CpuShare& cpu = rows[row.cpu];
    cpu.cpu = row.cpu;
    cpu.events.resize(events.size());
    cpu.events[row.event] = {row.count, row.samples};
    if (row.event != roles.cpu_clock || row.samples == 0) continue;
    cpu.busy.emplace();
    cpu.idle.emplace();
    cpu.whole = whole_time(row);
    for (const Path path : kAllPaths)
      (path == Path::idle ? *cpu.idle : *cpu.busy).add(row.paths[static_cast<size_t>(path)]);
  }
  std::vector<CpuShare> list;
  list.reserve(rows.size());
  for (auto& [cpu, row] : rows) list.push_back(std::move(row));
  return list;
}

std::string_view cpu_state(const CpuShare& cpu) {
  constexpr double kMost = 0.9;
  if (!cpu.busy) return "";
  if (!(cpu.whole > 0)) return "";
  if (cpu.busy->value >= kMost * cpu.whole) return "busy";
  if (cpu.idle->value > kMost * cpu.whole) return "idle";
  // Where most of the time has no sample nobody knows.
  return cpu.busy->value + cpu.idle->value < cpu.whole / 2 ? "" : "partly";
}

}  // namespace nettoll
