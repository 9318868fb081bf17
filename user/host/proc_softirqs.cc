// SPDX-License-Identifier: Apache-2.0
#include "host/proc_softirqs.h"

#include <vector>

#include "host/cpu_header.h"
#include "host/text.h"

namespace nettoll {

Result<SoftirqTable> parse_softirqs(std::string_view text) {
  auto cpus = parse_cpu_header(take_line(text));
  if (!cpus) return cpus.error();
  SoftirqTable table;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    std::string_view name = take_word(line);
    if (name.empty()) continue;
    std::vector<uint64_t> counts;
    bool good = name.ends_with(':');
    for (const std::string_view word : words_of(line)) {
      const auto count = number_of(word);
      good = good && count;
      counts.push_back(count.value_or(0));
    }
    if (!good || counts.size() != cpus->size()) {
      ++table.skipped;
      continue;
    }
    name.remove_suffix(1);
    for (size_t i = 0; i < counts.size(); ++i) table.by_cpu[(*cpus)[i]][std::string(name)] = counts[i];
  }
  return table;
}

}  // namespace nettoll
