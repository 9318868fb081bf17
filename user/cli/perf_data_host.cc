// SPDX-License-Identifier: Apache-2.0
#include "cli/perf_data_host.h"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "symbolize/kernel_match.h"

namespace nettoll {
namespace {

constexpr uint64_t kPage = 4096;

uint64_t clock_ns(clockid_t clock) {
  timespec now = {};
  ::clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

std::optional<uint64_t> address_of(const KernelSymbols& symbols, std::string_view name) {
  std::optional<uint64_t> address;
  symbols.for_each_named(name, [&](const Hit& hit) {
    if (hit.module == kVmlinux) address = hit.start;
  });
  return address;
}

/// The next word of a line, which is cut off it.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(word.size());
  return word;
}

std::optional<uint64_t> number_in(std::string_view word, int base) {
  if (base == 16 && word.starts_with("0x")) word.remove_prefix(2);
  uint64_t value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (code != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

PerfDataCode kernel_text(const KernelSymbols& symbols) {
  for (const char* name : {"_text", "_stext"}) {
    const auto start = address_of(symbols, name);
    if (!start) continue;
    uint64_t end = *start;
    symbols.for_each_function([&](const Hit& hit) {
      if (hit.module == kVmlinux) end = (hit.start + kPage) / kPage * kPage;
    });
    return {name, *start, end - *start};
  }
  return {};
}

std::vector<PerfDataCode> bpf_code(const KernelSymbols& symbols) {
  std::vector<PerfDataCode> list;
  bool open = false;  // the last one's end is not known yet
  symbols.for_each_function([&](const Hit& hit) {
    if (open && hit.start > list.back().start) {
      list.back().size = std::min(list.back().size, hit.start - list.back().start);
      open = false;
    }
    if (hit.kind != SymbolKind::bpf) return;
    if (open) list.pop_back();  // another name of the same address
    constexpr uint64_t kLargest = 1 << 20;
    list.push_back({std::string(hit.name), hit.start, kLargest});
    open = true;
  });
  if (open) list.back().size = kPage - list.back().start % kPage;
  return list;
}

std::vector<PerfDataCode> modules_in(std::string_view proc_modules) {
  std::vector<PerfDataCode> modules;
  while (!proc_modules.empty()) {
    std::string_view line = proc_modules.substr(0, proc_modules.find('\n'));
    proc_modules.remove_prefix(std::min(line.size() + 1, proc_modules.size()));
    const std::string_view name = take_word(line);
    const auto size = number_in(take_word(line), 10);
    for (int passed = 0; passed < 3; ++passed) take_word(line);  // uses, users, state
    const auto start = number_in(take_word(line), 16);
    if (size && start && *start != 0) modules.push_back({std::string(name), *start, *size});
  }
  return modules;
}

std::vector<std::string> arguments_in(std::string_view proc_cmdline) {
  std::vector<std::string> arguments;
  while (!proc_cmdline.empty()) {
    const std::string_view argument = proc_cmdline.substr(0, proc_cmdline.find('\0'));
    arguments.emplace_back(argument);
    proc_cmdline.remove_prefix(std::min(argument.size() + 1, proc_cmdline.size()));
  }
  return arguments;
}

Result<PerfDataHost> perf_data_host(const Session& session, const KernelFs& fs) {
  const auto symbols = KernelSymbols::load(fs);
  if (!symbols) return symbols.error();
  PerfDataHost host;
  host.host = session.host;
  host.release = session.kernel;
  host.arch = session.arch;
  host.version = "nettoll " + session.version;
  if (const auto arguments = fs.read("/proc/self/cmdline")) host.command = arguments_in(*arguments);
  host.cpu_limit = session.cpu_limit;
  host.cpus_online = session.cpus_online;
  host.wall_ns = clock_ns(CLOCK_REALTIME);
  host.monotonic_ns = clock_ns(CLOCK_MONOTONIC);
  host.kernel = kernel_text(*symbols);
  if (const auto notes = fs.read("/sys/kernel/notes")) host.kernel_build_id = build_id_of_notes(*notes);
  if (const auto modules = fs.read("/proc/modules")) host.modules = modules_in(*modules);
  host.bpf = bpf_code(*symbols);
  return host;
}

}  // namespace nettoll
