// SPDX-License-Identifier: Apache-2.0
#include "collect/sampler_plan.h"

#include <gtest/gtest.h>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

using Names = std::vector<std::string>;
constexpr SampleRate kUsual{99, 0};

Names names_of(const std::vector<EventRequest>& requests) {
  Names names;
  for (const auto& request : requests) names.push_back(request.spec.name);
  return names;
}

TEST(PlanEvents, AddsTheBaselineAndKeepsTheOrder) {
  FakeRoot root;
  const KernelFs fs(root.path());
  const struct {
    Names asked;
    Names planned;
  } cases[] = {
      {{}, {"cpu-clock", "cycles", "instructions", "cache-misses", "branch-misses"}},
      {{"cycles"}, {"cpu-clock", "cycles"}},
      {{"instructions,cycles", "LLC-load-misses"},
       {"cpu-clock", "instructions", "cycles", "LLC-load-misses"}},
      {{"cycles", "cpu-clock"}, {"cycles", "cpu-clock"}},
      {{"cpu-clock"}, {"cpu-clock"}},
      {{"cycles,cpu-cycles:k,cycles"}, {"cpu-clock", "cycles"}},
      {{"cycles,cycles:uk"}, {"cpu-clock", "cycles", "cycles:uk"}},
  };
  for (const auto& c : cases) {
    const auto plan = plan_events(c.asked, {}, fs);
    ASSERT_TRUE(plan);
    EXPECT_EQ(names_of(*plan), c.planned);
    for (const auto& request : *plan) EXPECT_EQ(request.rate, kUsual);
  }
}

TEST(PlanEvents, TakesTheRate) {
  FakeRoot root;
  const KernelFs fs(root.path());
  const auto frequency = plan_events({"cycles"}, {997, 0}, fs);
  ASSERT_TRUE(frequency);
  for (const auto& request : *frequency) EXPECT_EQ(request.rate, (SampleRate{997, 0}));

  // A million cycles is no million nanoseconds: only an event that was asked for takes the period.
  const auto period = plan_events({"cycles"}, {0, 1'000'000}, fs);
  ASSERT_TRUE(period);
  EXPECT_EQ((*period)[0].rate, kUsual);
  EXPECT_EQ((*period)[1].rate, (SampleRate{0, 1'000'000}));
  EXPECT_EQ((*plan_events({"cpu-clock"}, {0, 1'000'000}, fs))[0].rate, (SampleRate{0, 1'000'000}));

  EXPECT_FALSE(plan_events({"cycles"}, {99, 1000}, fs));
  EXPECT_EQ(plan_events({"cyclops"}, {}, fs).error().kind, ErrorKind::usage);
  EXPECT_FALSE(plan_events({"cycles,"}, {}, fs));
}

TEST(LowerRate, KeepsTheKernelsLimitAndThatOfClocks) {
  constexpr auto kClock = EventKind::clock, kCpu = EventKind::cpu;
  constexpr uint64_t kNone = UINT64_MAX;
  const struct {
    EventKind kind;
    SampleRate asked;
    uint64_t kernel_limit;
    SampleRate lowered;
    const char* note;  ///< a part of it; nullptr: none
  } cases[] = {
      {kCpu, {99, 0}, 100000, {99, 0}, nullptr},
      {kCpu, {100000, 0}, 100000, {100000, 0}, nullptr},
      {kCpu, {100001, 0}, 100000, {100000, 0}, "100000 times a second instead of 100001: kernel."},
      {kCpu, {100001, 0}, kNone, {100001, 0}, nullptr},
      {kCpu, {0, 1}, 100000, {0, 1}, nullptr},  // the kernel throttles what a PMU's interrupts take
      {kClock, {10000, 0}, 100000, {10000, 0}, nullptr},
      {kClock, {10001, 0}, 100000, {10000, 0}, "10000 times a second instead of 10001: faster"},
      {kClock, {10001, 0}, kNone, {10000, 0}, "faster"},
      {kClock, {10001, 0}, 5000, {5000, 0}, "5000 times a second instead of 10001: kernel."},
      {kClock, {0, 100000}, 100000, {0, 100000}, nullptr},
      {kClock, {0, 99999}, 100000, {0, 100000}, "every 100000 ns instead of every 99999"},
  };
  for (const auto& c : cases) {
    EventRequest request{{"name", c.kind, true, 0, {}}, c.asked};
    const auto note = lower_rate(request, c.kernel_limit);
    EXPECT_EQ(request.rate, c.lowered) << c.asked.frequency << " " << c.asked.period;
    ASSERT_EQ(note.has_value(), c.note != nullptr) << c.asked.frequency << " " << c.asked.period;
    if (note) {
      EXPECT_NE(note->find(c.note), std::string::npos) << *note;
    }
  }
}

TEST(ToEvent, SaysWhatTheModelNeeds) {
  FakeRoot root;
  const auto plan = plan_events({"cycles"}, {}, KernelFs(root.path()));
  ASSERT_TRUE(plan);
  const Event clock = to_event((*plan)[0]), cycles = to_event((*plan)[1]);
  EXPECT_EQ(clock, (Event{"cpu-clock", EventUnit::nanoseconds, false, true, 99, 0}));
  EXPECT_EQ(cycles, (Event{"cycles", EventUnit::count, true, false, 99, 0}));
}

TEST(RingBytes, FollowsRateIntervalAndCpus) {
  const auto requests = [](size_t count, SampleRate rate) {
    return std::vector<EventRequest>(count, EventRequest{{}, rate});
  };
  const struct {
    const char* what;
    size_t events;
    SampleRate rate;
    uint32_t interval_ms;
    size_t cpus;
    size_t kilobytes;
  } cases[] = {
      // 99 * 256 bytes * 2 = 51 KB.
      {"the smallest", 1, {99, 0}, 1000, 2, 64},
      {"nothing", 0, {99, 0}, 1000, 2, 64},
      // 5 * 99 * 256 * 2 = 253 KB.
      {"the defaults", 5, {99, 0}, 1000, 2, 256},
      {"half the interval", 5, {99, 0}, 500, 2, 128},
      {"the largest", 5, {4000, 0}, 1000, 2, 512},
      {"long intervals", 5, {99, 0}, 60000, 2, 512},
      {"a period", 1, {0, 1000000}, 1000, 2, 512},
      {"32 MB over 256 CPUs", 5, {99, 0}, 1000, 256, 128},
      {"a share of 341 KB", 5, {4000, 0}, 1000, 96, 256},
      {"never below the smallest", 5, {99, 0}, 1000, 4096, 64},
      {"no CPU", 1, {99, 0}, 1000, 0, 64},
      {"absurd rates", 5, {uint64_t{1} << 40, 0}, 1000, 1, 512},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(ring_bytes(requests(c.events, c.rate), c.interval_ms, c.cpus), c.kilobytes << 10) << c.what;
  }
}

TEST(Halving, StopsWhereSamplesSayNothing) {
  const SampleRate defaults[] = {{99, 0}, {99, 0}};
  EXPECT_EQ(most_halvings(defaults), 3U);  // 49, 24, 12
  const SampleRate slow[] = {{10, 0}};
  EXPECT_EQ(most_halvings(slow), 0U);
  const SampleRate fast[] = {{19, 0}, {1000, 0}};
  EXPECT_EQ(most_halvings(fast), 6U);  // 15
  const SampleRate period[] = {{0, 1'000'000}};
  EXPECT_EQ(most_halvings(period), 3U);
  EXPECT_EQ(most_halvings({}), 0U);
}

TEST(Halving, HalvesTheFrequencyOrDoublesThePeriod) {
  EXPECT_EQ(halve_rate({99, 0}, 0), (SampleRate{99, 0}));
  EXPECT_EQ(halve_rate({99, 0}, 2), (SampleRate{24, 0}));
  EXPECT_EQ(halve_rate({99, 0}, 9), (SampleRate{12, 0}));
  EXPECT_EQ(halve_rate({5, 0}, 2), (SampleRate{5, 0}));
  EXPECT_EQ(halve_rate({0, 1000}, 3), (SampleRate{0, 8000}));
  EXPECT_LE(halve_rate({0, UINT64_MAX / 3}, 3).period, UINT64_MAX / 2);  // the kernel refuses the top bit
}

TEST(Descriptors, AreOneForEachEventOnEachCpu) {
  EXPECT_EQ(descriptors_needed(20, 256, 5), 20u + 1280 + 64);
  EXPECT_EQ(descriptors_needed(0, 0, 0), 64u);

  EXPECT_EQ(events_that_fit(1024, 20, 256), 3u);  // 940 / 256
  EXPECT_EQ(events_that_fit(descriptors_needed(20, 256, 5), 20, 256), 5u);
  EXPECT_EQ(events_that_fit(descriptors_needed(20, 256, 5) - 1, 20, 256), 4u);
  EXPECT_EQ(events_that_fit(84, 20, 2), 0u);
  EXPECT_EQ(events_that_fit(9, 20, 2), 0u);
  EXPECT_EQ(events_that_fit(1024, 20, 0), 0u);
}

}  // namespace
}  // namespace nettoll
