// SPDX-License-Identifier: Apache-2.0
#include "host/proc_stat.h"

#include "host/text.h"

namespace nettoll {

Result<std::map<uint32_t, CpuTimes>> parse_cpu_times(std::string_view text) {
  constexpr std::string_view kPrefix = "cpu";
  std::map<uint32_t, CpuTimes> cpus;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const std::string_view label = take_word(line);
    if (!label.starts_with(kPrefix) || label.size() == kPrefix.size()) continue;
    const auto cpu = number_of<uint32_t>(label.substr(kPrefix.size()));
    if (!cpu) return failure(fmt::format("'{}' is no CPU", label));
    CpuTimes times;
    for (uint64_t* field : {&times.user, &times.nice, &times.system, &times.idle, &times.iowait, &times.irq,
                            &times.softirq, &times.steal}) {
      const std::string_view word = take_word(line);
      const auto ticks = number_of(word);
      if (!ticks)
        return failure(fmt::format("the row of CPU {} has '{}' where a time should be", *cpu, word));
      *field = *ticks;
    }
    if (!cpus.emplace(*cpu, times).second) return failure(fmt::format("two rows are of CPU {}", *cpu));
  }
  if (cpus.empty()) return failure("it has no row of a CPU");
  return cpus;
}

}  // namespace nettoll
