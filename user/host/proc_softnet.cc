// SPDX-License-Identifier: Apache-2.0
#include "host/proc_softnet.h"

#include <optional>
#include <vector>

#include "host/text.h"

namespace nettoll {
namespace {

constexpr size_t kReceivedRps = 9, kFlowLimit = 10, kBacklog = 11, kCpu = 12;
constexpr size_t kFewest = 9;

Softnet row_of(const std::vector<uint32_t>& columns) {
  const auto optional = [&](size_t i) {
    return i < columns.size() ? std::optional<uint64_t>(columns[i]) : std::nullopt;
  };
  Softnet row;
  row.processed = columns[0];
  row.dropped = columns[1];
  row.time_squeeze = columns[2];
  row.received_rps = optional(kReceivedRps);
  row.flow_limit = optional(kFlowLimit);
  if (kBacklog < columns.size()) row.backlog_length = columns[kBacklog];
  return row;
}

}  // namespace

Result<std::map<uint32_t, Softnet>> parse_softnet(std::string_view text, const CpuSet& online) {
  std::map<uint32_t, Softnet> rows;
  size_t lines = 0, without_id = 0;
  while (!text.empty()) {
    const std::vector<std::string_view> words = words_of(take_line(text));
    if (words.empty()) continue;
    std::vector<uint32_t> columns;
    for (const std::string_view word : words) {
      const auto value = number_of<uint32_t>(word, 16);
      if (!value)
        return failure(fmt::format("row {} holds '{}', no hexadecimal number of 32 bits", lines + 1, word));
      columns.push_back(*value);
    }
    if (columns.size() < kFewest)
      return failure(fmt::format("row {} has {} columns, fewer than {}", lines + 1, columns.size(), kFewest));
    uint32_t cpu = 0;
    if (kCpu < columns.size()) {
      cpu = columns[kCpu];
    } else {
      ++without_id;
      if (lines < online.size()) cpu = online.ids[lines];
    }
    ++lines;
    if (without_id > 0 && lines > online.size()) break;
    if (!rows.emplace(cpu, row_of(columns)).second)
      return failure(fmt::format("two rows are of CPU {}", cpu));
  }
  if (lines == 0) return failure("it has no rows");
  if (without_id > 0 && lines != online.size())
    return failure(
        fmt::format("its rows name no CPUs, and are not as many as the {} online CPUs", online.size()));
  return rows;
}

}  // namespace nettoll
