// SPDX-License-Identifier: Apache-2.0
// Memory that is not at hand.
#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"

namespace nettoll {

void slab_slow_path(const Sight& sight, Verdict& verdict) {
  const Works slow{Work::slab_slow};
  judge(
      sight, verdict,
      {.of = WorkShare::Of::network,
       .limit = limit::kSlab,
       .holds = in_stack(sight, slow),
       .what = "the slow path of the slab allocator",
       .explanation =
           "Objects are allocated on one CPU and freed on another, or more of them are in flight than a CPU "
           "keeps. Often packets wait in a socket or queue until another CPU reads them.",
       .remedy = {"slabtop -o    # skbuff_head_cache, skbuff_small_head, kmalloc-*",
                  "receive on the CPU where the program runs (RFS), or shorten queues"},
       .list = "called by",
       .listed_under = caller_of(sight, slow, {Work::slab_alloc, Work::slab_free})});
}

void page_allocator(const Sight& sight, Verdict& verdict) {
  const Works lists{Work::page_list};
  judge(sight, verdict,
        {.of = WorkShare::Of::network,
         .limit = limit::kPageLists,
         .holds = in_stack(sight, lists),
         .what = "the page allocator beyond its per-CPU lists",
         .explanation =
             "Pages of packets come from and go to the zone's lists, under its lock, in place of being used "
             "again. Drivers without a page pool, large MTUs, and pages freed on other CPUs do that.",
         .remedy = {"sysctl vm.percpu_pagelist_high_fraction",
                    "ethtool -S DEV | grep -i -e page -e recycle    # the driver's page pool"},
         .list = "called by",
         .listed_under = caller_of(sight, lists, {Work::page_alloc, Work::page_free})});
}

void memory_reclaim(const Sight& sight, Verdict& verdict) {
  const Works reclaims{Work::reclaim};
  judge(sight, verdict,
        {.of = WorkShare::Of::kernel,
         .limit = limit::kReclaim,
         .holds = in_stack(sight, reclaims),
         .what = "finding free memory",
         .explanation =
             "Free memory ran short, so the kernel takes it from caches and programs. Allocations in receive "
             "work cannot wait for that and fail: packets are dropped.",
         .remedy = {"cat /proc/pressure/memory; grep -e allocstall -e pgscan /proc/vmstat",
                    "sysctl vm.min_free_kbytes; the limits of the cgroup (memory.high, memory.max)"},
         .list = "called by",
         .listed_under = caller_of(sight, reclaims, {Work::page_alloc})});
}

void memory_compaction(const Sight& sight, Verdict& verdict) {
  const Works compacts{Work::compaction};
  judge(sight, verdict,
        {.of = WorkShare::Of::kernel,
         .limit = limit::kCompaction,
         .holds = in_stack(sight, compacts),
         .what = "moving pages to make large ones",
         .explanation =
             "Memory is in small pieces while somebody asks for large ones: huge pages, or buffers of "
             "several pages for large packets.",
         .remedy = {"cat /proc/buddyinfo; grep compact /proc/vmstat",
                    "cat /sys/kernel/mm/transparent_hugepage/defrag"},
         .list = "called by",
         .listed_under = caller_of(sight, compacts, {Work::page_alloc, Work::reclaim})});
}

}  // namespace nettoll
