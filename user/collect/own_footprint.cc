// SPDX-License-Identifier: Apache-2.0
#include "collect/own_footprint.h"

#include <algorithm>

namespace nettoll {
namespace {

constexpr std::string_view kPrefixes[] = {
    // Dispatch and helpers (kernel/bpf, kernel/trace/bpf_trace.c).
    "bpf_", "__bpf_", "___bpf_", "____bpf_", "trace_call_bpf", "__traceiter_", "perf_trampoline", "kprobe_",
    "__kprobe", "fprobe_", "rethook_", "ftrace_", "arch_ftrace_", "__ftrace_",
    // Maps.
    "htab_", "__htab_", "array_map_", "percpu_array_", "pcpu_freelist", "__pcpu_freelist", "___pcpu_freelist",
    "lookup_elem_raw", "lookup_nulls_elem_raw", "alloc_htab_", "free_htab_", "pcpu_copy_value",
    "pcpu_init_value",
    // What these run: locks, read-side sections, clocks, copies.
    "_raw_", "do_raw_", "queued_spin_", "native_queued_spin_", "__pv_queued_spin_", "__rcu_read_",
    "rcu_read_", "__migrate_", "migrate_", "preempt_", "ktime_get_mono_fast", "sched_clock", "local_clock",
    "read_tsc", "kvm_clock_", "pvclock_", "arch_counter_", "arch_timer_read_", "copy_from_kernel_nofault",
    // Reads of counters.
    "perf_event_read_local", "__perf_event_", "armpmu_", "armv8pmu_", "x86_pmu_", "x86_perf_event_update",
    "intel_pmu_", "amd_pmu_", "pmu_sbi_", "riscv_pmu_", "cpu_clock_event_", "task_clock_event_"};

constexpr std::string_view kNames[] = {"memcpy",
                                       "memset",
                                       "memcmp",
                                       "memmove",
                                       "__memcpy",
                                       "__memset",
                                       "__memcmp",
                                       "__memmove",
                                       "get_perf_callchain",
                                       "debug_smp_processor_id"};

}  // namespace

bool is_run_by_probes(std::string_view function) {
  return std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return function.starts_with(prefix); }) ||
         std::ranges::find(kNames, function) != std::end(kNames);
}

}  // namespace nettoll
