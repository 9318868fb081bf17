// SPDX-License-Identifier: Apache-2.0
#include "model/names.h"

#include <array>

namespace nettoll {

std::string_view name_of(Path path) {
  constexpr std::array<std::string_view, kPathCount> kNames{"rx",    "tx",   "send", "receive", "timer",
                                                            "other", "idle", "user", "own"};
  return kNames[static_cast<size_t>(path)];
}

std::string_view name_of(Method method) {
  constexpr std::array<std::string_view, 5> kNames{"fentry", "kprobe_multi", "kprobe", "tracepoint",
                                                   "samples"};
  return kNames[static_cast<size_t>(method)];
}

std::string_view name_of(CountState state) {
  constexpr std::array<std::string_view, 10> kNames{"counted", "proxied",   "sampled", "inlined",
                                                    "renamed", "duplicate", "notrace", "absent",
                                                    "shed",    "estimated"};
  return kNames[static_cast<size_t>(state)];
}

std::string_view name_of(LossKind kind) {
  constexpr std::array<std::string_view, 8> kNames{"ring_full",   "throttled",       "stack_table",
                                                   "missed_run",  "drop_table",      "napi_table",
                                                   "queue_table", "unmatched_sample"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view name_of(SymbolKind kind) {
  constexpr std::array<std::string_view, 5> kNames{"kernel", "bpf", "own", "user", "unknown"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view name_of(UnnamedCause cause) {
  constexpr std::array<std::string_view, std::size(kAllUnnamedCauses)> kNames{
      "no mapping recorded",
      "broken call chains",
      "no such file here",
      "another build here",
      "stripped",
      "generated code",
      "no kernel symbols",
      "addresses in kallsyms are 0",
      "no symbols of the module",
      "between two functions",
      "guest code",
  };
  return kNames[static_cast<size_t>(cause)];
}

std::string_view name_of(Severity severity) {
  constexpr std::array<std::string_view, 3> kNames{"note", "warning", "critical"};
  return kNames[static_cast<size_t>(severity)];
}

std::string_view name_of(Check::Outcome outcome) {
  constexpr std::array<std::string_view, 3> kNames{"fine", "found", "unknown"};
  return kNames[static_cast<size_t>(outcome)];
}

std::string_view name_of(Confidence confidence) {
  constexpr std::array<std::string_view, 3> kNames{"low", "medium", "high"};
  return kNames[static_cast<size_t>(confidence)];
}

std::string_view name_of(DropLayer layer) {
  constexpr std::array<std::string_view, 7> kNames{"nic",    "xdp",   "backlog", "stack",
                                                   "socket", "qdisc", "transmit"};
  return kNames[static_cast<size_t>(layer)];
}

std::string_view softirq_name(uint32_t vector) {
  constexpr std::array<std::string_view, 10> kNames{"hi",       "timer",   "net_tx", "net_rx",  "block",
                                                    "irq_poll", "tasklet", "sched",  "hrtimer", "rcu"};
  return vector < kNames.size() ? kNames[vector] : "unknown";
}

}  // namespace nettoll
