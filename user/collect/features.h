// SPDX-License-Identifier: Apache-2.0
// What this kernel lets us do, found by doing it.
#pragma once

#include <string>

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
  Feature fentry;
};

/// A function to try fentry on: every kernel with IPv4 has it, and it is never inlined.
inline constexpr const char* kFentryProbeTarget = "ip_rcv";

/// Loads and attaches a program that does nothing for each feature. `fentry_target` is a function that the
/// kernel has and BTF describes; BTF alone does not prove that fentry works (some kernels refuse the load,
/// some the attach).
Features probe_features(const std::string& fentry_target);

}  // namespace nettoll
