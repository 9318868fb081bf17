// SPDX-License-Identifier: Apache-2.0
#include "host/proc_interrupts.h"

#include <algorithm>
#include <optional>

#include "host/cpu_header.h"
#include "host/text.h"

namespace nettoll {
namespace {

/// "0-edge", "12": what stands last where there is no name.
bool is_hardware_number(std::string_view word) {
  const std::string_view digits = word.substr(0, word.find('-'));
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The names behind the counts. The kernel puts two spaces before them, and none inside.
std::string_view names_in(std::string_view rest) {
  rest = trimmed(rest);
  const size_t gap = rest.rfind("  ");
  if (gap == std::string_view::npos) return {};
  const std::string_view names = rest.substr(gap + 2);
  return is_hardware_number(names) ? std::string_view{} : names;
}

std::optional<InterruptRow> parse_row(std::string_view rest, const std::vector<uint32_t>& cpus, size_t size) {
  InterruptRow row;
  row.by_cpu.resize(size);
  for (const uint32_t cpu : cpus) {
    const auto count = number_of(take_word(rest));
    if (!count) return std::nullopt;
    row.by_cpu[cpu] = *count;
  }
  row.name = names_in(rest);
  return row;
}

}  // namespace

Result<InterruptTable> parse_interrupts(std::string_view text) {
  auto cpus = parse_cpu_header(take_line(text));
  if (!cpus) return cpus.error();
  const size_t size = *std::max_element(cpus->begin(), cpus->end()) + size_t{1};
  InterruptTable table;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    std::string_view label = take_word(line);
    if (!label.ends_with(':')) {
      table.skipped += label.empty() ? 0 : 1;
      continue;
    }
    label.remove_suffix(1);
    if (label.find_first_not_of("0123456789") != std::string_view::npos) continue;
    const auto irq = number_of<uint32_t>(label);
    auto row = irq ? parse_row(line, *cpus, size) : std::nullopt;
    if (!row || !table.rows.emplace(*irq, std::move(*row)).second) ++table.skipped;
  }
  return table;
}

}  // namespace nettoll
