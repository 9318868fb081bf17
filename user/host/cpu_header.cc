// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_header.h"

#include "host/text.h"

namespace nettoll {

Result<std::vector<uint32_t>> parse_cpu_header(std::string_view line) {
  constexpr std::string_view kPrefix = "CPU";
  constexpr uint32_t kMaxCpu = 65535;
  std::vector<uint32_t> cpus;
  for (const std::string_view word : words_of(line)) {
    const auto id =
        word.starts_with(kPrefix) ? number_of<uint32_t>(word.substr(kPrefix.size())) : std::nullopt;
    if (!id || *id > kMaxCpu)
      return failure(fmt::format("its first line has '{}' where a CPU should be", word));
    cpus.push_back(*id);
  }
  if (cpus.empty()) return failure("its first line names no CPU");
  return cpus;
}

}  // namespace nettoll
