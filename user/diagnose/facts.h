// SPDX-License-Identifier: Apache-2.0
// What rules judge by: the inputs, and what is derived from them once.
#pragma once

#include <initializer_list>
#include <vector>

#include "diagnose/cpu_facts.h"
#include "diagnose/nic_facts.h"
#include "diagnose/spread.h"
#include "model/finding.h"

namespace nettoll {

/// A physical device that is up, and why its load is where it is.
struct NicCase {
  NicFacts facts;
  Spread spread;
};

struct Facts {
  const HostState& window;
  const Profile* profile = nullptr;  ///< null where nothing was traced
  const CostTable* costs = nullptr;
  EventRoles events;
  std::vector<CpuFacts> cpus;
  std::vector<NicCase> nics;

  double seconds() const { return window.seconds; }
  /// Length of the trace; 0 without one.
  double traced_seconds() const { return profile ? static_cast<double>(profile->duration_ns) / 1e9 : 0; }
  const CpuFacts* cpu(uint32_t id) const;
  /// CPUs that are online.
  CpuSet online() const;
  /// Those of a device's NUMA node, or all where the node is unknown.
  CpuSet near(const Nic& nic) const;
  /// True where a finding about a device tells why this CPU has so much to do.
  bool explained(uint32_t cpu) const;
};

/// True for a CPU that takes part in serving a device.
bool serves(const NicFacts& nic, uint32_t cpu);

/// Inputs must outlive the result.
Facts gather(const HostState& window, const Profile* profile, const CostTable* costs);

/// Sum of what the kernel counted; 0 for those that it does not have.
double protocol_count(const HostState& window, std::initializer_list<const char*> names);

/// What a packet costs on this CPU and on the others, of cycles (else CPU time) and cache misses.
std::vector<Evidence> cost_of_cpu(const Facts& facts, std::optional<uint32_t> cpu);

}  // namespace nettoll
