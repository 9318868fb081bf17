// SPDX-License-Identifier: Apache-2.0
#include "ingest/captured_event.h"

#include <gtest/gtest.h>

#include "ingest/perf_abi.h"
#include "model/event_name.h"

namespace nettoll {
namespace {

constexpr uint64_t kKernelOnly = uint64_t{1} << perf::kFlagExcludeUser;
constexpr uint64_t kUserOnly = uint64_t{1} << perf::kFlagExcludeKernel;

std::string name_of(uint32_t type, uint64_t config, uint64_t flags = 0, const PmuNames& pmus = {}) {
  CapturedEvent event;
  event.attr.type = type;
  event.attr.config = config;
  event.attr.flags = flags;
  return shown_event(event, pmus).name;
}

TEST(CapturedEvent, IsNamedByTypeAndConfig) {
  EXPECT_EQ(name_of(perf::kHardware, 0), "cycles");
  EXPECT_EQ(name_of(perf::kHardware, 5, kKernelOnly), "branch-misses:k");
  EXPECT_EQ(name_of(perf::kHardware, 5, kKernelOnly | kUserOnly), "branch-misses");
  EXPECT_EQ(name_of(perf::kSoftware, 1, kUserOnly), "task-clock:u");
  EXPECT_EQ(name_of(perf::kHwCache, 0x10002), "LLC-load-misses");
  EXPECT_EQ(name_of(perf::kRawEvent, 0x1c2), "r1c2");
  EXPECT_EQ(name_of(perf::kHardware, 99), "event type 0 config 0x63");
  EXPECT_EQ(name_of(11, 0x3c), "event type 11 config 0x3c");
}

TEST(CapturedEvent, OfAHybridCpuIsNamedWithItsPmu) {
  const PmuNames pmus{{4, "cpu_core"}, {10, "cpu_atom"}};
  const uint64_t core = uint64_t{4} << 32, atom = uint64_t{10} << 32;
  EXPECT_EQ(name_of(perf::kHardware, core, 0, pmus), "cpu_core/cycles/");
  EXPECT_EQ(name_of(perf::kHardware, atom | 1, kKernelOnly, pmus), "cpu_atom/instructions/k");
  EXPECT_EQ(name_of(perf::kHwCache, atom | 0x10002, kUserOnly, pmus), "cpu_atom/LLC-load-misses/u");
  // Without the recorder's list of PMUs; and an event that nobody knows.
  EXPECT_EQ(name_of(perf::kHardware, atom), "pmu10/cycles/");
  EXPECT_EQ(name_of(perf::kHardware, atom | 99, 0, pmus), "event type 0 config 0xa00000063");
  EXPECT_EQ(role_of(name_of(perf::kHardware, atom, kKernelOnly)), EventRole::cycles);
}

TEST(CapturedEvent, OfAnotherPmuIsNamedByItsConfig) {
  EXPECT_EQ(name_of(11, 0x3c, kKernelOnly, {{11, "uncore_imc_0"}}), "uncore_imc_0/config=0x3c/k");
  // Fixed types are the kernel's, whatever PMU has their number.
  EXPECT_EQ(name_of(perf::kRawEvent, 0x1c2, 0, {{4, "cpu_core"}}), "r1c2");
}

TEST(CapturedEvent, ARecordedNameStays) {
  CapturedEvent event;
  event.attr.type = perf::kHardware;
  event.attr.config = uint64_t{4} << 32;
  event.name = "cpu_core/cycles/P";
  EXPECT_EQ(shown_event(event, {}).name, "cpu_core/cycles/P");
}

}  // namespace
}  // namespace nettoll
