// SPDX-License-Identifier: Apache-2.0
#include "collect/own_footprint.h"

#include <gtest/gtest.h>

#include "collect/function_table.h"

namespace nettoll {
namespace {

TEST(OwnFootprint, HoldsWhatProgramsRun) {
  for (const char* name :
       {"_raw_spin_lock", "_raw_spin_lock_irqsave", "bpf_ktime_get_ns", "htab_map_update_elem",
        "__htab_map_lookup_elem", "bpf_get_smp_processor_id", "ktime_get_mono_fast_ns", "memcpy",
        "___pcpu_freelist_pop", "perf_event_read_local", "native_queued_spin_lock_slowpath"})
    EXPECT_TRUE(is_run_by_probes(name)) << name;
  for (const char* name : {"ip_rcv", "net_rx_action", "memcpy_fromiovec", "skb_copy_datagram_iter", ""})
    EXPECT_FALSE(is_run_by_probes(name)) << name;
}

TEST(OwnFootprint, LeavesTheTableAlone) {
  for (const TableEntry& entry : function_table()) {
    for (const std::string_view name : entry.names) EXPECT_FALSE(is_run_by_probes(name)) << name;
  }
}

}  // namespace
}  // namespace nettoll
