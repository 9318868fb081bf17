// SPDX-License-Identifier: Apache-2.0
// Why perf_event_open(2) refused, in a sentence for a person.
#pragma once

#include <optional>
#include <string>

#include "collect/perf_event_spec.h"

namespace nettoll {

/// What the sentence depends on beside errno.
struct OpenContext {
  /// Whether the host has a PMU for its CPUs in /sys/bus/event_source/devices.
  bool cpu_pmu = false;
  /// kernel.perf_event_paranoid.
  std::optional<long> paranoid;
  /// Descriptors that all events together need, and the limit that was reached.
  uint64_t descriptors_needed = 0;
  uint64_t descriptor_limit = 0;
};

/// The reason and, where there is one, the remedy.
std::string explain_open_error(const EventSpec& spec, int code, const OpenContext& context);

}  // namespace nettoll
