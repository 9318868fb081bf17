// SPDX-License-Identifier: Apache-2.0
#include "diagnose/observe/observe.h"

#include <algorithm>

#include "diagnose/observe/doubts.h"

namespace nettoll {
namespace {

using Need = Observation::Needs;

constexpr Observation kObservations[] = {
    {"samples_thin", Need::time, samples_thin},
    {"samples_lost", Need::nothing, samples_lost},
    {"chains_missing", Need::time, chains_missing},
    {"chains_garbled", Need::chains, chains_garbled},
    {"timer_blind", Need::time, timer_blind},
    {"drop_path_cost", Need::chains, drop_path_cost},
    {"receive_cache_misses", Need::nothing, receive_cache_misses},
    {"lock_contention", Need::time, lock_contention},
    {"lock_taking", Need::time, lock_taking},
    {"slab_slow_path", Need::chains, slab_slow_path},
    {"page_allocator", Need::chains, page_allocator},
    {"memory_reclaim", Need::time, memory_reclaim},
    {"memory_compaction", Need::time, memory_compaction},
    {"checksum_cost", Need::chains, checksum_cost},
    {"copy_cost", Need::chains, copy_cost},
    {"packet_copies", Need::chains, packet_copies},
    {"packet_taps", Need::time, packet_taps},
    {"conntrack_cost", Need::time, conntrack_cost},
    {"filter_cost", Need::time, filter_cost},
    {"security_tax", Need::time, security_tax},
    {"tax_retpoline", Need::time, tax_retpoline},
    {"tax_return_thunk", Need::time, tax_return_thunk},
    {"tax_usercopy", Need::time, tax_usercopy},
    {"tax_init_on_alloc", Need::chains, tax_init_on_alloc},
    {"tax_init_on_free", Need::chains, tax_init_on_free},
    {"tax_sanitizer", Need::time, tax_sanitizer},
    {"tax_kfence", Need::time, tax_kfence},
    {"tax_lock_debug", Need::time, tax_lock_debug},
    {"tax_slab_debug", Need::time, tax_slab_debug},
    {"tax_security_module", Need::time, tax_security_module},
    {"tax_audit", Need::time, tax_audit},
    {"tax_kernel_entry", Need::time, tax_kernel_entry},
};

/// Why it cannot be asked; empty where it can.
std::string missing(Need needs, const Sight& sight) {
  if (needs == Need::nothing) return "";
  if (sight.rows().empty()) return "no kernel code at work was sampled";
  if (!sight.time()) return "no event stands for time: neither cycles nor a clock has kernel samples";
  if (needs == Need::chains && without_chains(sight)) return "recorded without call chains";
  return "";
}

}  // namespace

std::span<const Observation> observations() {
  return kObservations;
}

Diagnosis observe(const Profile& profile, std::span<const StackCost> costs) {
  const Sight sight(profile, costs);
  const std::vector<Doubt> doubts = doubts_about(sight);
  Diagnosis diagnosis;
  for (const Observation& observation : kObservations) {
    Verdict verdict(observation.id);
    const std::string why = missing(observation.needs, sight);
    if (why.empty()) {
      observation.ask(sight, verdict);
    } else {
      verdict.unknown(why);
    }
    diagnosis.checks.push_back(verdict.check());
    for (Finding& finding : verdict.take()) {
      lower_confidence(finding, doubts, observation.needs == Need::chains);
      diagnosis.findings.push_back(std::move(finding));
    }
  }
  std::stable_sort(diagnosis.findings.begin(), diagnosis.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return diagnosis;
}

}  // namespace nettoll
