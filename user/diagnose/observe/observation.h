// SPDX-License-Identifier: Apache-2.0
// An observation: one question, asked of a profile alone.
#pragma once

#include "diagnose/observe/sight.h"
#include "diagnose/rule.h"

namespace nettoll {

struct Observation {
  const char* id;  ///< of its check and its findings
  /// What else must be there: where it is not, the check is unknown.
  enum class Needs : uint8_t {
    nothing,
    time,    ///< an event that stands for time
    chains,  ///< that, and call chains: what only the frames above the innermost tell
  } needs;
  void (*ask)(const Sight&, Verdict&);
};

// Of how far the profile carries, each in a file of its name. These make others less sure.
void samples_thin(const Sight& sight, Verdict& verdict);
void samples_lost(const Sight& sight, Verdict& verdict);
void chains_missing(const Sight& sight, Verdict& verdict);
void chains_garbled(const Sight& sight, Verdict& verdict);
void timer_blind(const Sight& sight, Verdict& verdict);

// drop_paths.cc
void drop_path_cost(const Sight& sight, Verdict& verdict);
// receive_misses.cc
void receive_cache_misses(const Sight& sight, Verdict& verdict);
// lock_waits.cc
void lock_contention(const Sight& sight, Verdict& verdict);
void lock_taking(const Sight& sight, Verdict& verdict);
// memory_pressure.cc
void slab_slow_path(const Sight& sight, Verdict& verdict);
void page_allocator(const Sight& sight, Verdict& verdict);
void memory_reclaim(const Sight& sight, Verdict& verdict);
void memory_compaction(const Sight& sight, Verdict& verdict);
// checksums.cc
void checksum_cost(const Sight& sight, Verdict& verdict);
// copies.cc
void copy_cost(const Sight& sight, Verdict& verdict);
void packet_copies(const Sight& sight, Verdict& verdict);
// packet_hooks.cc
void packet_taps(const Sight& sight, Verdict& verdict);
void conntrack_cost(const Sight& sight, Verdict& verdict);
void filter_cost(const Sight& sight, Verdict& verdict);
// security_tax.cc
void security_tax(const Sight& sight, Verdict& verdict);
void tax_retpoline(const Sight& sight, Verdict& verdict);
void tax_return_thunk(const Sight& sight, Verdict& verdict);
void tax_usercopy(const Sight& sight, Verdict& verdict);
void tax_init_on_alloc(const Sight& sight, Verdict& verdict);
void tax_init_on_free(const Sight& sight, Verdict& verdict);
void tax_sanitizer(const Sight& sight, Verdict& verdict);
void tax_kfence(const Sight& sight, Verdict& verdict);
void tax_lock_debug(const Sight& sight, Verdict& verdict);
void tax_slab_debug(const Sight& sight, Verdict& verdict);
void tax_security_module(const Sight& sight, Verdict& verdict);
void tax_audit(const Sight& sight, Verdict& verdict);
void tax_kernel_entry(const Sight& sight, Verdict& verdict);

}  // namespace nettoll
