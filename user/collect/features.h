// SPDX-License-Identifier: Apache-2.0
// What this kernel lets us do, found by doing it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collect/attach_plan.h"

namespace nettoll {

/// Whether one thing works; if not, why and what would help.
struct Feature {
  bool works = false;
  std::string reason;
  std::string remedy;
};

/// Facts that the attach plan and `doctor` need.
struct Features {
  Feature raw_tracepoint;  ///< without it there is no counting
  Feature cpu_ids;         ///< programs are told the right CPU; without it counts by CPU are wrong
  Feature fentry;
  Feature kprobe_multi;
  Feature kprobe;
};

/// A function to try on: every kernel with IPv4 has it, and it is never inlined.
inline constexpr const char* kProbeTarget = "ip_rcv";

/// Loads and attaches a program that does nothing for each feature, at the function that BTF (`target`) and
/// kallsyms (`address`) describe; gone again when this returns. BTF alone does not prove that fentry works
/// (some kernels refuse the load, some the attach). `cpu` and `last_cpu` are the first and the last that are
/// online.
Features probe_features(const std::optional<BtfTarget>& target, std::optional<uint64_t> address, uint32_t cpu,
                        uint32_t last_cpu);

}  // namespace nettoll
