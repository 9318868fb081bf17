// SPDX-License-Identifier: Apache-2.0
#include "model/counterless.h"

#include <map>

namespace nettoll {

std::vector<Counterless> without_counters(const std::vector<Event>& events,
                                          const std::vector<EventCount>& counts) {
  std::map<uint32_t, std::map<uint32_t, bool>> ran;  // by event and CPU
  for (const EventCount& count : counts) {
    if (count.enabled_ns == 0 || count.event >= events.size() || events[count.event].timer) continue;
    bool& here = ran[count.event][count.cpu];
    here = here || count.running_ns > 0;
  }
  std::vector<Counterless> rows;
  for (const auto& [event, cpus] : ran) {
    Counterless& row = rows.emplace_back();
    row.event = event;
    for (const auto& [cpu, here] : cpus) {
      if (!here) row.cpus.ids.push_back(cpu);
    }
  }
  return rows;
}

}  // namespace nettoll
