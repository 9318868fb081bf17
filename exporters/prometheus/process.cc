// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/process.h"

#include <unistd.h>

#include <charconv>
#include <string>
#include <vector>

namespace nettoll::exporter {
namespace {

std::optional<uint64_t> to_number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n";
  std::vector<std::string_view> words;
  while (true) {
    const size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const size_t end = std::min(text.find_first_of(kSpace), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// The first number after `key` at the start of a line.
std::optional<uint64_t> number_after(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.substr(0, key.size()) == key) {
      const auto words = words_of(line.substr(key.size()));
      return words.empty() ? std::nullopt : to_number(words[0]);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

}  // namespace

ProcessStats parse_process_stat(std::string_view stat, double ticks_per_second, uint64_t page_bytes,
                                std::optional<uint64_t> boot_seconds) {
  ProcessStats process;
  // The command's name stands in parentheses and may hold spaces and parentheses itself.
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return process;
  // Numbered as in proc(5) less 3: the first word is (3) state.
  const auto words = words_of(stat.substr(name_end + 1));
  const auto field = [&](size_t number) -> std::optional<uint64_t> {
    return number - 3 < words.size() ? to_number(words[number - 3]) : std::nullopt;
  };
  const auto user = field(14);
  const auto system = field(15);
  if (user && system) process.cpu_seconds = static_cast<double>(*user + *system) / ticks_per_second;
  if (const auto started = field(22); started && boot_seconds) {
    process.start_time_seconds =
        static_cast<double>(*boot_seconds) + static_cast<double>(*started) / ticks_per_second;
  }
  process.virtual_bytes = field(23);
  if (const auto pages = field(24)) process.resident_bytes = *pages * page_bytes;
  return process;
}

ProcessStats read_process(const KernelFs& fs) {
  ProcessStats process;
  const auto system = fs.read("/proc/stat");
  const auto boot = system ? number_after(*system, "btime") : std::nullopt;
  if (const auto stat = fs.read("/proc/self/stat")) {
    process = parse_process_stat(*stat, static_cast<double>(::sysconf(_SC_CLK_TCK)),
                                 static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)), boot);
  }
  // The listing itself holds one descriptor open.
  if (const auto fds = fs.list("/proc/self/fd"); fds && !fds->empty()) process.open_fds = fds->size() - 1;
  if (const auto limits = fs.read("/proc/self/limits")) {
    process.max_fds = number_after(*limits, "Max open files");
  }
  return process;
}

}  // namespace nettoll::exporter
