// SPDX-License-Identifier: Apache-2.0
// What exact mode measured, as text and as JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "report/json_exact.h"
#include "report/report.h"
#include "report/report_json.h"
#include "report/views.h"
#include "unit/report/squeeze.h"

namespace nettoll {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

ExactCost row(const std::string& function, const std::string& event) {
  ExactCost cost;
  cost.function = function;
  cost.module = kVmlinux;
  cost.event = event;
  cost.unit = event == kExactTime ? EventUnit::nanoseconds : EventUnit::count;
  cost.calibrated = true;
  return cost;
}

/// ip_rcv by fentry with time and cycles, net_rx_action by tracepoints and not calibrated, tcp_v4_rcv never
/// called.
Profile measured() {
  Profile profile;
  ExactCost time = row("ip_rcv", kExactTime);
  time.one_in = 10;
  time.calls = 10'000;
  time.n = 997;
  time.mean = 2500;
  time.std_error = 50;
  time.p50 = 2000;
  time.p90 = 4000;
  time.p99 = 12'000;
  time.own_cost = 62;
  time.below_zero = 2;
  time.discards = {3, 4, 0, 1, 0};
  ExactCost cycles = time;
  cycles.event = "cycles";
  cycles.unit = EventUnit::count;
  cycles.n = 990;
  cycles.mean = 150;
  cycles.std_error = 30;
  cycles.p50 = 140;
  cycles.own_cost = 200;
  cycles.probes_inside = 701;
  cycles.below_zero = 0;
  cycles.below_probe_cost = true;
  cycles.discards.unreadable = 7;
  ExactCost softirq = row("net_rx_action", kExactTime);
  softirq.method = Method::tracepoint;
  softirq.calls = softirq.n = 1;
  softirq.mean = softirq.p50 = softirq.p90 = softirq.p99 = 800;
  softirq.calibrated = false;
  profile.exact = {time, cycles, softirq, row("tcp_v4_rcv", kExactTime)};
  return profile;
}

TEST(ExactView, ShowsARowForEachMeasure) {
  const std::string text = squeeze(exact_view(measured()));
  EXPECT_THAT(text, HasSubstr("ip_rcv fentry time 997 2.50 us ±2% 2.00 us 4.00 us 12.0 us 62.0 ns\n"));
  EXPECT_THAT(text, HasSubstr("\ncycles 990 150 ±20% 140 4.00k 12.0k 200 <\n"));
  EXPECT_THAT(text, HasSubstr("net_rx_action tracepoint time 1 800 ns - 800 ns 800 ns 800 ns -\n"));
  EXPECT_THAT(text, HasSubstr("tcp_v4_rcv fentry time 0 - - - - - 0 ns\n")) << "not measured is not 0";
}

TEST(ExactView, TellsWhatWasLeftOut) {
  const std::string text = squeeze(exact_view(measured()));
  EXPECT_THAT(text,
              HasSubstr("ip_rcv: 10,000 calls, one in 10 measured; left out: CPU changed 3, switched out 4, "
                        "program skipped 1\n"));
  EXPECT_THAT(text, HasSubstr("net_rx_action: 1 calls\n"));
  EXPECT_THAT(text, HasSubstr("ip_rcv, time: below the probes' own cost 2\n"));
  EXPECT_THAT(
      text,
      HasSubstr("ip_rcv, cycles: left out: unreadable 7, taken off for other probes inside: 701 a call\n"));
  EXPECT_THAT(text, HasSubstr("< the median is less than"));
  EXPECT_THAT(text, HasSubstr("- under probes: their own cost is not known"));
}

TEST(ExactView, SaysNothingThatIsNotThere) {
  EXPECT_EQ(exact_view({}), "");
  Profile plain = measured();
  plain.exact = {plain.exact[3]};
  const std::string text = exact_view(plain);
  EXPECT_THAT(text, Not(HasSubstr("< the")));
  EXPECT_THAT(text, Not(HasSubstr("under probes")));
  EXPECT_THAT(text, Not(HasSubstr("left out")));
}

TEST(ExactView, StandsInTheReport) {
  const Profile profile = measured();
  EXPECT_THAT(render_report(profile, correlate(profile)),
              HasSubstr("\nExact cost of a call, from entry to exit\n"));
  EXPECT_THAT(render_report({}, correlate({})), Not(HasSubstr("Exact cost")));
}

TEST(ExactJson, HoldsRawNumbersByFunction) {
  const json list = exact_json(measured());
  ASSERT_EQ(list.size(), 3u);
  const json time{{"event", "time"},           {"n", 997},
                  {"unreadable", 0},           {"mean_ns", 2500.0},
                  {"standard_error_ns", 50.0}, {"p50_ns", 2000.0},
                  {"p90_ns", 4000.0},          {"p99_ns", 12'000.0},
                  {"own_cost_ns", 62.0},       {"probes_inside_ns", 0.0},
                  {"below_zero", 2},           {"below_probe_cost", false}};
  EXPECT_EQ(list[0]["costs"][0], time);
  EXPECT_EQ(list[0]["function"], "ip_rcv");
  EXPECT_EQ(list[0]["module"], "vmlinux");
  EXPECT_EQ(list[0]["method"], "fentry");
  EXPECT_EQ(list[0]["one_in"], 10);
  EXPECT_EQ(list[0]["calls"], 10'000);
  EXPECT_EQ(list[0]["discarded"], (json{{"cpu_changed", 3}, {"switched", 4}, {"no_room", 0}, {"missed", 1}}));
  EXPECT_EQ(list[0]["costs"][1]["mean_events"], 150.0);
  EXPECT_EQ(list[0]["costs"][1]["below_probe_cost"], true);
  EXPECT_EQ(list[0]["costs"][1]["unreadable"], 7);
  EXPECT_EQ(list[0]["costs"][1]["probes_inside_events"], 701);
}

TEST(ExactJson, WhatWasNotMeasuredIsAbsent) {
  const json list = exact_json(measured());
  EXPECT_FALSE(list[1]["costs"][0].contains("own_cost_ns"));
  EXPECT_FALSE(list[1]["costs"][0].contains("below_probe_cost"));
  EXPECT_FALSE(list[1]["costs"][0].contains("standard_error_ns")) << "of one value";
  EXPECT_EQ(list[2]["costs"][0],
            (json{{"event", "time"}, {"n", 0}, {"unreadable", 0}, {"own_cost_ns", 0.0}}));
  EXPECT_FALSE(report_json({}, correlate({})).contains("exact"));
  EXPECT_TRUE(report_json(measured(), correlate(measured())).contains("exact"));
}

}  // namespace
}  // namespace nettoll
