// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/cumulative.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/prometheus/sample_tick.h"

namespace nettoll::exporter {
namespace {

constexpr auto kRx = static_cast<size_t>(Path::rx);
constexpr auto kOtherPath = static_cast<size_t>(Path::other);

Cumulative after(std::initializer_list<Tick> ticks, SeriesLimits limits = {}) {
  Cumulative cumulative(limits);
  for (const Tick& tick : ticks) cumulative.add(tick.profile, tick.costs);
  return cumulative;
}

const FunctionTotals* function(const Cumulative& cumulative, const char* name) {
  return cumulative.totals().functions.find({name, kVmlinux});
}

TEST(Cumulative, ACountedFunctionBringsEveryPathButOurOwn) {
  const auto sum = after({sample_tick()});
  const FunctionTotals* f = function(sum, "net_rx_action");
  ASSERT_TRUE(f);
  EXPECT_EQ(f->calls[static_cast<size_t>(Method::tracepoint)], 40u);
  EXPECT_FALSE(f->calls[static_cast<size_t>(Method::fentry)]);
  ASSERT_TRUE(f->events[0]);
  EXPECT_DOUBLE_EQ(f->events[0]->self, 1.1e8);
  EXPECT_DOUBLE_EQ(f->events[0]->inclusive, 3.2e8);
  EXPECT_EQ(f->events[0]->samples, 32u);
  EXPECT_DOUBLE_EQ(f->events[1]->inclusive, 5000);
}

TEST(Cumulative, AnotherFunctionBringsNetworkPathsAlone) {
  const auto sum = after({sample_tick()});
  const FunctionTotals* f = function(sum, "memcpy");
  ASSERT_TRUE(f);
  EXPECT_DOUBLE_EQ(f->events[0]->self, 4e7);
  EXPECT_EQ(f->events[0]->samples, 4u);
  EXPECT_FALSE(f->events[1]);  // never sampled is absent
}

TEST(Cumulative, LeavesOutWhatIsNoNetworkFunction) {
  const auto sum = after({sample_tick()});
  EXPECT_FALSE(function(sum, "vfs_read"));
  EXPECT_FALSE(sum.totals().functions.find({kOwnCostName, ""}));
  EXPECT_EQ(sum.totals().functions.size(), 2u);
}

TEST(Cumulative, AFunctionStaysAfterItWasSeen) {
  Tick quiet = sample_tick();
  quiet.costs.functions.clear();
  const auto sum = after({sample_tick(), quiet, sample_tick()});
  EXPECT_DOUBLE_EQ(function(sum, "memcpy")->events[0]->self, 8e7);
  EXPECT_EQ(function(sum, "net_rx_action")->calls[static_cast<size_t>(Method::tracepoint)], 80u);
}

TEST(Cumulative, MergesWhatRendersAlike) {
  const auto sum = after({sample_tick()});
  // The same device name in two namespaces.
  EXPECT_EQ(*sum.totals().drops.find({"NO_SOCKET", "udp_rcv", "ipv4", "eth0"}), 7u);
  EXPECT_EQ(sum.totals().drops.size(), 1u);
  EXPECT_EQ(sum.totals().napi.find({"eth0", "0"})->polls, 10u);
  EXPECT_EQ(sum.totals().napi.find({"eth0", "0"})->packets, 105u);

  Tick twice = sample_tick();
  FunctionCost same = twice.costs.functions[1];
  same.symbol.kind = SymbolKind::bpf;  // another identity, the same labels
  twice.costs.functions.push_back(same);
  EXPECT_DOUBLE_EQ(function(after({twice}), "memcpy")->events[0]->self, 8e7);

  Tick odd = sample_tick();
  odd.profile.drops[0].device = "a\xFF";
  odd.profile.drops[1].device = "a\xFE";
  EXPECT_EQ(after({odd}).totals().drops.size(), 1u);
}

TEST(Cumulative, ATickWithItsEventsInAnotherOrderAddsToTheSameNames) {
  Tick swapped = sample_tick();
  std::swap(swapped.profile.session.events[0], swapped.profile.session.events[1]);
  swapped.costs.functions = {sampled_function("memcpy", Path::rx, 1, estimate(1e7, 1), estimate(1e7, 1))};
  swapped.costs.paths.clear();
  swapped.costs.cpus.clear();
  swapped.costs.events = {{0, 0, 0, 0, {}, {}}, {1, 2e9, 1, 0, 1.0, 0.0}};
  const auto sum = after({sample_tick(), swapped});
  EXPECT_DOUBLE_EQ(function(sum, "memcpy")->events[0]->self, 5e7);
  ASSERT_EQ(sum.totals().events.size(), 2u);
  EXPECT_EQ(sum.totals().events[0].name, "cpu-clock");
  EXPECT_EQ(sum.totals().events[0].running_ratio, 1.0);
  EXPECT_FALSE(sum.totals().events[1].running_ratio);  // cycles did not run in the last tick
  EXPECT_EQ(sum.totals().clock, 0u);
}

TEST(Cumulative, ChoosesCpuClockAmongTheClocks) {
  const auto clock_of = [](std::vector<Event> events) {
    Tick tick;
    tick.profile.session.events = std::move(events);
    return after({tick}).totals().clock;
  };
  const Event cycles{.name = "cycles"};
  const Event task{.name = "task-clock", .unit = EventUnit::nanoseconds};
  const Event cpu{.name = "cpu-clock", .unit = EventUnit::nanoseconds};
  EXPECT_EQ(clock_of({cycles}), std::nullopt);
  EXPECT_EQ(clock_of({cycles, task}), 1u);
  EXPECT_EQ(clock_of({task, cycles, cpu}), 2u);
  EXPECT_EQ(clock_of({cpu, task}), 0u);
  EXPECT_EQ(clock_of({task, {.name = "cpu-clock:k", .unit = EventUnit::nanoseconds}}), 1u);
}

TEST(Cumulative, PathsHaveOnlyWhatWasMeasured) {
  const PathTotals paths = after({sample_tick(), sample_tick()}).totals().paths;
  EXPECT_EQ(paths.packets[kRx], 200u);
  EXPECT_EQ(paths.segments[kRx], 300u);
  EXPECT_FALSE(paths.packets[kOtherPath]);
  EXPECT_DOUBLE_EQ(*paths.events[0][kOtherPath], 2e9);
  EXPECT_FALSE(paths.events[1][kOtherPath]);
}

TEST(Cumulative, ACounterThatNeverRanIsUnknown) {
  const auto cpus = after({sample_tick()}).totals().cpus;
  EXPECT_DOUBLE_EQ(*cpus.at(0).events[1], 9000);
  EXPECT_TRUE(cpus.at(1).events.empty() || !cpus.at(1).events[1]);
  EXPECT_EQ(cpus.at(1).packets[kRx], 40u);
  EXPECT_DOUBLE_EQ(*cpus.at(0).clock[kRx], 5e8);
  EXPECT_FALSE(cpus.at(0).clock[kOtherPath]);
}

TEST(Cumulative, NothingMakesACounterFall) {
  Tick bad = sample_tick();
  for (FunctionCost& f : bad.costs.functions) {
    f.cells = {{Path::rx, 0, estimate(-1e9, 1), estimate(NAN, 1)},
               {Path::rx, 77, estimate(1, 1), estimate(1, 1)}};
  }
  for (PathCost& path : bad.costs.paths) path.events = {estimate(INFINITY, 1)};
  for (CpuCost& cpu : bad.costs.cpus) cpu.count = -5;
  const auto before = after({sample_tick()});
  const auto later = after({sample_tick(), bad});
  EXPECT_DOUBLE_EQ(function(later, "memcpy")->events[0]->self, function(before, "memcpy")->events[0]->self);
  EXPECT_DOUBLE_EQ(*later.totals().paths.events[0][kRx], *before.totals().paths.events[0][kRx]);
  EXPECT_DOUBLE_EQ(*later.totals().cpus.at(0).events[1], 9000);
}

TEST(Cumulative, TheCapKeepsCountedFunctionsAndCountsTheRest) {
  Tick many;
  many.profile.session = sample_tick().profile.session;
  for (int i = 0; i < 5; ++i) {
    many.costs.functions.push_back(
        sampled_function("f" + std::to_string(i), Path::rx, 0, estimate(100, 1), estimate(1000, 9)));
  }
  FunctionCost counted = sampled_function("counted", Path::rx, 0, estimate(1, 1), estimate(1, 1));
  counted.calls = 6;
  counted.method = Method::fentry;
  many.costs.functions.push_back(counted);  // last by cost
  const auto sum = after({many, many}, {.functions = 3});
  EXPECT_EQ(sum.totals().functions.size(), 4u);
  ASSERT_TRUE(function(sum, "counted"));
  EXPECT_TRUE(function(sum, "f0"));
  EXPECT_TRUE(function(sum, "f1"));
  EXPECT_FALSE(function(sum, "f2"));
  EXPECT_EQ(sum.totals().functions.refused(), 3u);
  const FunctionTotals* rest = sum.totals().functions.find({kOther, kOther});
  ASSERT_TRUE(rest);
  EXPECT_TRUE(rest->other);
  EXPECT_DOUBLE_EQ(rest->events[0]->self, 600);
  EXPECT_DOUBLE_EQ(rest->events[0]->inclusive, 0);  // would count one stack many times
  EXPECT_EQ(rest->events[0]->samples, 6u);          // those of self
}

TEST(Cumulative, CapsQueues) {
  Tick tick;
  for (int32_t i = 0; i < 4; ++i) tick.profile.queues.push_back({{1, 2}, "eth0", i, 5});
  const auto sum = after({tick}, {.queues = 1});
  EXPECT_EQ(*sum.totals().queues.find({"eth0", "0"}), 5u);
  EXPECT_EQ(*sum.totals().queues.find({kOther, kOther}), 15u);
  EXPECT_EQ(sum.totals().queues.refused(), 3u);
}

TEST(Cumulative, NoiseIsNoDrop) {
  const auto sum = after({sample_tick(), sample_tick()});
  EXPECT_EQ(sum.totals().noise_drops.at(DropClass::local_socket), 22u);
  EXPECT_EQ(sum.totals().noise_drops.at(DropClass::tx_completion), 40u);
  EXPECT_FALSE(sum.totals().noise_drops.contains(DropClass::loss));
}

TEST(Cumulative, CapsDropsAndNapiAndLosses) {
  Tick tick;
  for (uint32_t i = 0; i < 4; ++i) {
    const std::string device = "veth" + std::to_string(i);
    tick.profile.drops.push_back({"NO_SOCKET", "core", "udp_rcv", kVmlinux, "ipv4", device, 1, 1});
    tick.profile.napi.push_back({{1, i}, device, 3, 1, 1, 0});
    tick.profile.losses.push_back({LossKind::ring_full, device, 1});
  }
  const auto sum = after({tick}, {.functions = 1, .drops = 1, .napi = 2, .losses = 3});
  EXPECT_EQ(*sum.totals().drops.find({kOther, kOther, kOther, kOther}), 3u);
  EXPECT_EQ(sum.totals().drops.refused(), 3u);
  EXPECT_EQ(sum.totals().napi.find({kOther, "3"})->polls, 2u);
  EXPECT_EQ(*sum.totals().losses.find({"ring_full", kOther}), 1u);
}

TEST(Cumulative, KnowsTheSession) {
  const auto facts = *after({sample_tick()}).totals().session;
  EXPECT_EQ(facts.functions.at({CountState::sampled, Method::samples}), 2u);
  EXPECT_EQ(facts.functions.at({CountState::proxied, Method::tracepoint}), 1u);
  EXPECT_TRUE(facts.event_available.at("cycles"));
  EXPECT_FALSE(facts.event_available.at("instructions"));
  EXPECT_DOUBLE_EQ(facts.end_seconds, 1'700'000'001);
}

}  // namespace
}  // namespace nettoll::exporter
