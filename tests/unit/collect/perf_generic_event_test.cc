// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_generic_event.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <set>

namespace nettoll {
namespace {

TEST(GenericEvent, KnowsPerfsNamesAndTheirOtherSpellings) {
  const struct {
    const char* text;
    const char* name;
    uint32_t type;
    uint64_t config;
  } cases[] = {
      {"cycles", "cycles", PERF_TYPE_HARDWARE, 0},
      {"cpu-cycles", "cycles", PERF_TYPE_HARDWARE, 0},
      {"CYCLES", "cycles", PERF_TYPE_HARDWARE, 0},
      {"instructions", "instructions", PERF_TYPE_HARDWARE, 1},
      {"cache-references", "cache-references", PERF_TYPE_HARDWARE, 2},
      {"cache-misses", "cache-misses", PERF_TYPE_HARDWARE, 3},
      {"branch-instructions", "branches", PERF_TYPE_HARDWARE, 4},
      {"branches", "branches", PERF_TYPE_HARDWARE, 4},
      {"branch-misses", "branch-misses", PERF_TYPE_HARDWARE, 5},
      {"bus-cycles", "bus-cycles", PERF_TYPE_HARDWARE, 6},
      {"idle-cycles-frontend", "stalled-cycles-frontend", PERF_TYPE_HARDWARE, 7},
      {"stalled-cycles-backend", "stalled-cycles-backend", PERF_TYPE_HARDWARE, 8},
      {"ref-cycles", "ref-cycles", PERF_TYPE_HARDWARE, 9},
      {"cpu-clock", "cpu-clock", PERF_TYPE_SOFTWARE, 0},
      {"task-clock", "task-clock", PERF_TYPE_SOFTWARE, 1},
      {"faults", "page-faults", PERF_TYPE_SOFTWARE, 2},
      {"cs", "context-switches", PERF_TYPE_SOFTWARE, 3},
      {"migrations", "cpu-migrations", PERF_TYPE_SOFTWARE, 4},
      {"minor-faults", "minor-faults", PERF_TYPE_SOFTWARE, 5},
      {"major-faults", "major-faults", PERF_TYPE_SOFTWARE, 6},
      // cache | op << 8 | result << 16; L1D 0, L1I 1, LL 2, DTLB 3, ITLB 4, BPU 5, NODE 6.
      {"L1-dcache-loads", "L1-dcache-loads", PERF_TYPE_HW_CACHE, 0x00000},
      {"L1-dcache-load-misses", "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000},
      {"l1d-stores", "L1-dcache-stores", PERF_TYPE_HW_CACHE, 0x00100},
      {"L1-icache-load-misses", "L1-icache-load-misses", PERF_TYPE_HW_CACHE, 0x10001},
      {"LLC-load-misses", "LLC-load-misses", PERF_TYPE_HW_CACHE, 0x10002},
      {"LLC-misses-load", "LLC-load-misses", PERF_TYPE_HW_CACHE, 0x10002},
      {"llc-misses", "LLC-load-misses", PERF_TYPE_HW_CACHE, 0x10002},
      {"LLC", "LLC-loads", PERF_TYPE_HW_CACHE, 0x00002},
      {"LLC-prefetch-misses", "LLC-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10202},
      {"LLC-speculative-read-miss", "LLC-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10202},
      {"dTLB-load-misses", "dTLB-load-misses", PERF_TYPE_HW_CACHE, 0x10003},
      {"dTLB-store-misses", "dTLB-store-misses", PERF_TYPE_HW_CACHE, 0x10103},
      {"iTLB-load-misses", "iTLB-load-misses", PERF_TYPE_HW_CACHE, 0x10004},
      {"branch-loads", "branch-loads", PERF_TYPE_HW_CACHE, 0x00005},
      {"branch-load-misses", "branch-load-misses", PERF_TYPE_HW_CACHE, 0x10005},
      {"node-store-misses", "node-store-misses", PERF_TYPE_HW_CACHE, 0x10106},
  };
  for (const auto& c : cases) {
    const auto event = find_generic_event(c.text);
    ASSERT_TRUE(event) << c.text;
    EXPECT_EQ(*event, (GenericEvent{c.name, c.type, c.config})) << c.text;
  }
}

TEST(GenericEvent, HasNoOthers) {
  // No stores to the instruction side; no word twice; nothing after the last word.
  for (const char* text : {"", "-", "cycle", "iTLB-stores", "L1-icache-store-misses", "branch-stores",
                           "iTLB-prefetches", "LLC-load-load", "LLC-misses-misses", "LLC-loads-", "LLC-",
                           "LLCX", "LLC-loadsx", "L1-dcache-load-misses-x", "cycles ", "dummy"}) {
    EXPECT_FALSE(find_generic_event(text)) << text;
  }
}

TEST(GenericEvent, EveryListedNameIsFoundOnce) {
  const auto names = generic_event_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const auto& name : names) {
    const auto event = find_generic_event(name);
    ASSERT_TRUE(event) << name;
    EXPECT_EQ(event->name, name);
  }
  // 10 hardware, 10 software, and 2 results of 3+2+3+3+1+1+3 cache operations.
  EXPECT_EQ(names.size(), 20u + 2 * 16);
}

}  // namespace
}  // namespace nettoll
