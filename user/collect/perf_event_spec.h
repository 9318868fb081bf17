// SPDX-License-Identifier: Apache-2.0
// A perf event as the kernel wants it: what the name that a person typed means on this host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cpu_set.h"

namespace nettoll {

/// What decides how an event is opened and whether it can be judged.
enum class EventKind {
  cpu,       ///< counted by a CPU's own PMU: generic, cache and raw events
  other,     ///< counted by another PMU of the kernel
  software,  ///< counted by the kernel (PERF_TYPE_SOFTWARE)
  clock,     ///< a timer: cpu-clock and task-clock
};

/// Where an event is opened: one PMU, its codes, and the CPUs that have it. A CPU with two types of cores has
/// one PMU for each type, so an event has a target for each.
struct EventTarget {
  /// Folder of the PMU under /sys/bus/event_source/devices; empty where the kernel chooses.
  std::string pmu;
  /// Fields of perf_event_attr.
  uint32_t type = 0;
  uint64_t config = 0;
  uint64_t config1 = 0;
  uint64_t config2 = 0;
  /// CPUs that have this PMU; empty means all.
  std::optional<CpuSet> cpus;

  bool on(uint32_t cpu) const { return !cpus || cpus->contains(cpu); }
  bool operator==(const EventTarget&) const = default;
};

/// One event, ready to be opened.
struct EventSpec {
  /// perf's own spelling, with the modifiers where they differ from what nettoll does by default.
  std::string name;
  EventKind kind = EventKind::cpu;
  /// Kernel mode alone. False for clocks: see Event::kernel_only.
  bool kernel_only = true;
  /// perf_event_attr.precise_ip, 0 to 3.
  uint8_t precise = 0;
  std::vector<EventTarget> targets;

  bool operator==(const EventSpec&) const = default;
};

/// How often an event is sampled: samples a second (`frequency`) or events a sample (`period`); the other is
/// 0.
struct SampleRate {
  uint64_t frequency = 0;
  uint64_t period = 0;

  bool operator==(const SampleRate&) const = default;
};

}  // namespace nettoll
