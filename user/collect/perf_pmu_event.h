// SPDX-License-Identifier: Apache-2.0
// Events that a PMU describes in its folder under /sys/bus/event_source/devices.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/kernel_fs.h"
#include "base/result.h"
#include "collect/perf_event_spec.h"

namespace nettoll {

/// A PMU that counts what a CPU runs.
struct CpuPmu {
  std::string name;  ///< "cpu", "cpu_core", "armv8_pmuv3_0"
  uint32_t type = 0;
  std::optional<CpuSet> cpus;  ///< empty: all

  bool operator==(const CpuPmu&) const = default;
};

/// The CPU PMUs of the host, sorted by name; none in many guests. Those whose CPUs are all absent are left
/// out.
std::vector<CpuPmu> find_cpu_pmus(const KernelFs& fs);

/// Whether the CPUs' PMUs are of several types that the generic events must be told apart for, by the PMU's
/// type in the upper half of config (PERF_PMU_CAP_EXTENDED_HW_TYPE, x86's cpu_core and cpu_atom). Elsewhere
/// the kernel finds the PMU by the CPU.
bool is_hybrid(const std::vector<CpuPmu>& pmus);

/// Names of the events in the PMU's `events` folder, sorted.
std::vector<std::string> pmu_event_names(std::string_view pmu, const KernelFs& fs);

/// The terms between the slashes of pmu/.../: "event=0x3c,umask=0x1", a name of the `events` folder, config,
/// config1 and config2, placed in bits as the `format` folder says. Usage errors name the PMU, the term and
/// what there is. `cpu_pmu` is set if the PMU is a CPU's own.
Result<EventTarget> parse_pmu_terms(std::string_view pmu, std::string_view terms, const KernelFs& fs,
                                    bool& cpu_pmu);

/// Puts `value` into the bits that a format file names ("config:0-7,32-35"), lowest first, and leaves the
/// rest of `target` as it was. Fails if the text is no format or the value needs more bits.
Status place_bits(std::string_view format, uint64_t value, EventTarget& target);

}  // namespace nettoll
