// SPDX-License-Identifier: Apache-2.0
// How long a kallsyms text of 200,000 lines takes to load, and what it holds afterwards.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "symbolize/kernel_symbols.h"

namespace {

/// A host's text: functions, a third of them with padding before them, data, modules and BPF programs.
std::string synthetic_text(int lines) {
  std::string text;
  uint64_t address = 0xffffffff81000000;
  for (int i = 0; i < lines; ++i) {
    const char* const module = i < lines / 2 ? "" : i < lines - 500 ? "\t[module_" : "\t[bpf]";
    const std::string where = module[0] == '\0'  ? ""
                              : i >= lines - 500 ? module
                                                 : fmt::format("{}{}]", module, i / 1000);
    if (i >= lines - 500) {
      text += fmt::format("{:016x} t bpf_prog_{:016x}_program_{}{}\n", address, i, i, where);
    } else if (i % 10 < 3) {
      text += fmt::format("{:016x} t __pfx_some_function_of_the_kernel_{}{}\n", address, i + 1, where);
    } else if (i % 10 == 9) {
      text += fmt::format("{:016x} d data_{}{}\n", address, i, where);
    } else {
      text +=
          fmt::format("{:016x} {} some_function_of_the_kernel_{}{}\n", address, i % 2 ? 't' : 'T', i, where);
    }
    address += 16 + static_cast<uint64_t>(i % 7) * 64;
  }
  return text;
}

/// CPU time, which other load on the host disturbs less than wall time.
double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

int main() {
  constexpr int kLines = 200'000, kRuns = 15;
  const std::string text = synthetic_text(kLines);
  std::vector<double> parse_ms, find_ns;
  size_t functions = 0, bytes = 0, found = 0;
  for (int run = 0; run < kRuns; ++run) {
    const double begin = cpu_seconds();
    const auto symbols = nettoll::KernelSymbols::parse(text);
    const double end = cpu_seconds();
    if (!symbols) {
      fmt::print(stderr, "{}\n", symbols.error().text());
      return 1;
    }
    parse_ms.push_back((end - begin) * 1e3);
    functions = symbols->size();
    bytes = symbols->memory_bytes();
    constexpr int kLookups = 200'000;
    const double find_begin = cpu_seconds();
    for (uint64_t i = 0; i < kLookups; ++i)
      found += symbols->find(0xffffffff81000000 + i * 2654435761 % 40'000'000).has_value() ? 1 : 0;
    find_ns.push_back((cpu_seconds() - find_begin) * 1e9 / kLookups);
  }
  std::sort(parse_ms.begin(), parse_ms.end());
  std::sort(find_ns.begin(), find_ns.end());
  fmt::print("{} lines, {:.1f} MB of text: {} functions in {:.2f} MB\n", kLines, text.size() / 1e6, functions,
             bytes / 1e6);
  fmt::print("load: {:.1f} ms at best, {:.1f} ms median of {} runs\n", parse_ms.front(), parse_ms[kRuns / 2],
             kRuns);
  fmt::print("find: {:.0f} ns median ({} found)\n", find_ns[kRuns / 2], found);
  return 0;
}
