// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_attr.h"

#include <gtest/gtest.h>

#include <cstring>
#include <ctime>

namespace nettoll {
namespace {

EventSpec hardware() {
  EventSpec spec;
  spec.name = "cycles";
  EventTarget target;
  target.type = PERF_TYPE_HARDWARE;
  target.config = 0x400000000;
  target.config1 = 0x11;
  target.config2 = 0x22;
  spec.targets = {target};
  return spec;
}

EventSpec clock() {
  EventSpec spec;
  spec.name = "cpu-clock";
  spec.kind = EventKind::clock;
  spec.kernel_only = false;
  EventTarget target;
  target.type = PERF_TYPE_SOFTWARE;
  spec.targets = {target};
  return spec;
}

perf_event_attr make(const EventSpec& spec, SampleRate rate = {99, 0}, AttrFeatures features = {}) {
  return make_attr(spec, spec.targets[0], {rate, 64, 32768}, features);
}

/// The 64 bits of flags between read_format and wakeup_events (offset 40 in the published layout).
uint64_t flags(const perf_event_attr& attr) {
  uint64_t word = 0;
  std::memcpy(&word, reinterpret_cast<const char*>(&attr) + 40, sizeof(word));
  return word;
}

// Places of the bits in linux/perf_event.h, counted by hand.
constexpr uint64_t kDisabled = 1 << 0, kExcludeUser = 1 << 4, kExcludeHv = 1 << 6, kFreq = 1 << 10,
                   kWatermark = 1 << 14, kPrecise2 = 2 << 15, kSampleIdAll = 1 << 18, kExcludeGuest = 1 << 20,
                   kNoUserChain = 1 << 22, kClockId = 1 << 25;
constexpr uint64_t kAlways = kDisabled | kWatermark | kSampleIdAll | kNoUserChain | kClockId;

TEST(PerfAttr, HardwareEventCountsTheKernelOfThisHost) {
  const auto attr = make(hardware());
  EXPECT_EQ(attr.type, uint32_t{PERF_TYPE_HARDWARE});
  EXPECT_EQ(attr.size, sizeof(attr));
  EXPECT_EQ(attr.config, 0x400000000u);
  EXPECT_EQ(attr.config1, 0x11u);
  EXPECT_EQ(attr.config2, 0x22u);
  EXPECT_EQ(attr.sample_freq, 99u);
  // IP 1, TID 2, TIME 4, CALLCHAIN 0x20, CPU 0x80, PERIOD 0x100, IDENTIFIER 0x10000.
  EXPECT_EQ(attr.sample_type, 0x101a7u);
  // Enabled 1, running 2, id 4, lost 16.
  EXPECT_EQ(attr.read_format, 23u);
  EXPECT_EQ(flags(attr), kAlways | kFreq | kExcludeUser | kExcludeHv | kExcludeGuest);
  EXPECT_EQ(attr.wakeup_watermark, 32768u);
  EXPECT_EQ(attr.sample_max_stack, 64u);
  EXPECT_EQ(attr.clockid, CLOCK_MONOTONIC);
}

TEST(PerfAttr, ClockCountsEverything) {
  const auto attr = make(clock());
  EXPECT_EQ(flags(attr), kAlways | kFreq);
}

TEST(PerfAttr, TellsOfNamesOfThreadsWhereAsked) {
  constexpr uint64_t kComm = 1 << 9;
  const EventSpec spec = clock();
  EXPECT_EQ(flags(make_attr(spec, spec.targets[0], {{99, 0}, 64, 32768, true}, {})), kAlways | kFreq | kComm);
}

TEST(PerfAttr, PeriodReplacesFrequency) {
  const auto attr = make(hardware(), {0, 1'000'000});
  EXPECT_EQ(attr.sample_period, 1'000'000u);
  EXPECT_EQ(flags(attr) & kFreq, 0u);
}

TEST(PerfAttr, FollowsModifiersAndFeatures) {
  auto spec = hardware();
  spec.kernel_only = false;
  spec.precise = 2;
  const auto attr = make(spec, {99, 0}, {false, false});
  EXPECT_EQ(flags(attr), kAlways | kFreq | kPrecise2);
  EXPECT_EQ(attr.read_format, 7u);
}

}  // namespace
}  // namespace nettoll
