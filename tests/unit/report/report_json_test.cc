// SPDX-License-Identifier: Apache-2.0
#include "report/report_json.h"

#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"
#include "fakes/string_sink.h"
#include "report/json_text.h"

namespace nettoll {
namespace {

using nlohmann::json;

json report(const Profile& profile, const ReportOptions& options = {}) {
  return report_json(profile, correlate(profile), options);
}

TEST(ReportJson, IsWrittenAsItWouldBeDumped) {
  ProfileBuilder b({"cpu-clock", "cycles"}, 1);
  const auto same = [&](const ReportOptions& options) {
    StringSink out;
    EXPECT_TRUE(write_report_json(b.profile, correlate(b.profile), options, out).has_value());
    return out.text == report(b.profile, options).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  };
  EXPECT_TRUE(same({}));
  for (int i = 0; i < 300; ++i)
    b.sample(0, 0, {"f" + std::to_string(i) + "\"\n  \"functions\": null\xff", "main"}, 10, 10);
  EXPECT_TRUE(same({}));
  ReportOptions options;
  options.limit = 3;
  EXPECT_TRUE(same(options));
  options.by = Grouping::module;
  EXPECT_TRUE(same(options));
}

TEST(ReportJson, FunctionsHoldRawNumbersWithUnitsInTheirKeys) {
  ProfileBuilder b({"cpu-clock", "cycles"}, 1);
  b.sample(0, 0, {"ip_rcv", "net_rx_action"}, 16, 160).count(0, 0, 160);
  b.sample(1, 0, {"ip_rcv", "net_rx_action"}, 4, 40).count(1, 0, 4000, 1000, 500);
  b.counted("ip_rcv", 20);
  b.profile.packets = {{Path::rx, 0, 10, 15}};
  const json all = report(b.profile);
  EXPECT_EQ(all["schema"], 1);

  const json& row = all["functions"][0];
  EXPECT_EQ(row["function"], "ip_rcv");
  EXPECT_EQ(row["module"], "vmlinux");
  EXPECT_EQ(row["method"], "fentry");
  EXPECT_EQ(row["calls"], 20);
  const json time{{"event", "cpu-clock"},
                  {"path", "rx"},
                  {"self_ns", 160.0},
                  {"self_samples", 16},
                  {"self_relative_error", 0.25},
                  {"inclusive_ns", 160.0},
                  {"inclusive_samples", 16},
                  {"inclusive_relative_error", 0.25},
                  {"inclusive_per_packet_ns", 16.0}};
  EXPECT_EQ(row["costs"][0], time);
  EXPECT_EQ(row["costs"][1]["self_events"], 8000.0);
  EXPECT_EQ(row["costs"][1]["self_relative_error"], 0.5);
  const json per_call{{"event", "cpu-clock"}, {"inclusive_ns", 8.0}, {"relative_error", 0.25}};
  EXPECT_EQ(row["per_call"][0], per_call);
  EXPECT_FALSE(row.contains("instructions_per_cycle"));

  const json& rx = all["paths"][0];
  EXPECT_EQ(rx["packets"], 10);
  EXPECT_EQ(rx["segments"], 15);
  EXPECT_EQ(rx["costs"][0]["per_packet_ns"], 16.0);
  EXPECT_EQ(rx["costs"][0]["share_of_all"], 1.0);

  EXPECT_EQ(all["events"][1]["total_events"], 8000.0);
  EXPECT_EQ(all["events"][1]["running_ratio"], 0.5);
  EXPECT_EQ(all["cpus"][0]["costs"][0]["paths"][0]["cost_ns"], 160.0);
  EXPECT_EQ(all["cpus"][0]["packets"][0]["segments"], 15);
  EXPECT_EQ(all["modules"][0]["costs"][1]["self_events"], 8000.0);
}

TEST(ReportJson, AScaledTotalHasItsError) {
  ProfileBuilder b({"cycles", "instructions"}, 1);
  b.count(0, 0, 1000).count(1, 0, 1000, 1000, 500, 60);
  const json all = report(b.profile);
  EXPECT_EQ(all["events"][0]["total_standard_error_events"], 0.0);
  EXPECT_EQ(all["events"][1]["total_standard_error_events"], 60.0);
}

TEST(ReportJson, WhatWasNotMeasuredIsAbsent) {
  ProfileBuilder b({"cycles", "cache-misses"}, 1);
  b.sample(0, 0, {"f", "g"}, 1, 10).count(0, 0, 10).count(1, 0, 0, 1000, 0);
  const json all = report(b.profile);
  const json& never = all["events"][1];
  EXPECT_EQ(never["name"], "cache-misses");
  for (const char* key :
       {"total_events", "samples", "running_ratio", "unattributed_events", "total_standard_error_events"}) {
    EXPECT_FALSE(never.contains(key)) << key;
  }
  for (const json& row : all["functions"]) {
    EXPECT_FALSE(row.contains("calls"));
    EXPECT_FALSE(row.contains("per_call"));
    EXPECT_EQ(row["costs"].size(), 1u);
  }
  EXPECT_FALSE(all["functions"][1]["costs"][0].contains("self_events"));  // g has no cost of its own
  EXPECT_FALSE(all["paths"][0].contains("packets"));
  EXPECT_EQ(all.dump().find("null"), std::string::npos);
}

TEST(ReportJson, EfficiencyWhereTheEventsExist) {
  ProfileBuilder b({"cycles", "instructions", "cache-misses"}, 1);
  b.sample(0, 0, {"f"}, 100, 4000).sample(1, 0, {"f"}, 100, 2000).sample(2, 0, {"f"}, 25, 10);
  const json all = report(b.profile);
  const json& row = all["functions"][0];
  EXPECT_EQ(row["instructions_per_cycle"], 0.5);
  EXPECT_NEAR(row["instructions_per_cycle_relative_error"], 0.141421, 1e-6);
  EXPECT_EQ(row["misses_per_thousand_instructions"][0]["event"], "cache-misses");
  EXPECT_EQ(row["misses_per_thousand_instructions"][0]["value"], 5.0);
}

TEST(ReportJson, NetworkRows) {
  ProfileBuilder b({}, 1);
  b.profile.duration_ns = 2'000'000'000;
  b.profile.drops = {{"NO_SOCKET", "core", "udp_rcv", kVmlinux, "ipv4", "", 0, 10}};
  b.profile.queues = {{{0, 3}, "eth0", -1, 5}};
  b.profile.softirqs = {{3, 1, 7, 900}};
  b.profile.losses = {{LossKind::drop_table, "", 3}};
  const json all = report(b.profile);
  EXPECT_EQ(all["drops"][0]["packets_per_second"], 5.0);
  EXPECT_FALSE(all["drops"][0].contains("device"));
  const json queue{{"device", "eth0"}, {"ifindex", 3}, {"packets", 5}};
  EXPECT_EQ(all["queues"][0], queue);
  const json softirq{{"vector", "net_rx"}, {"cpu", 1}, {"runs", 7}, {"time_ns", 900}};
  EXPECT_EQ(all["softirqs"][0], softirq);
  const json loss{{"kind", "drop_table"}, {"count", 3}};
  EXPECT_EQ(all["losses"][0], loss);
}

TEST(ReportJson, TheLimitIsTheReadersAlone) {
  ProfileBuilder b({"cycles"}, 1);
  for (int i = 0; i < 50; ++i) b.sample(0, 0, {"f" + std::to_string(i)}, 1, 1);
  EXPECT_EQ(report(b.profile)["functions"].size(), 50u);
  EXPECT_EQ(report(b.profile, {3})["functions"].size(), 3u);
  EXPECT_EQ(report(b.profile, {0})["functions"].size(), 50u);
}

TEST(ReportJson, CapturesOfOthersLackWhatOnlyNettollCounts) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"ip_rcv"}, 4, 40);
  b.profile.foreign = Foreign{"perf.data", "perf record", "", false, {{UnnamedCause::stripped, 3, 12}}};
  const json all = report(b.profile);
  for (const char* key : {"napi", "queues", "softirqs", "drops", "cpus"})
    EXPECT_FALSE(all.contains(key)) << key;
  EXPECT_FALSE(all["session"].contains("drop_reasons"));
  const json expected{{"tool", "perf.data"},
                      {"command", "perf record"},
                      {"cpus_known", false},
                      {"unnamed", {{{"cause", "stripped"}, {"samples", 3}, {"callers", 12}}}}};
  EXPECT_EQ(all["foreign"], expected);
  EXPECT_EQ(all["functions"][0]["costs"][0]["self_events"], 40.0);
}

TEST(ReportJson, AnEmptyProfileHasAllListsAndNoNumbers) {
  const json all = report(Profile{});
  for (const char* key : {"events", "functions", "paths", "cpus", "modules", "napi", "queues", "softirqs",
                          "drops", "losses", "missing_events"}) {
    ASSERT_TRUE(all.contains(key)) << key;
    EXPECT_TRUE(all[key].is_array() && all[key].empty()) << key;
  }
  EXPECT_TRUE(all["window"].is_object() && all["window"].empty());
}

TEST(JsonText, HoldsNothingThatATerminalObeys) {
  EXPECT_EQ(json_text({{"comm", "a\xc2\x9b\x1b\xff"}}, JsonLayout::line),
            "{\"comm\":\"a\\u009b\\u001b\xef\xbf\xbd\"}");
  EXPECT_EQ(json_text({{"a", 1}}), "{\n  \"a\": 1\n}");
}

}  // namespace
}  // namespace nettoll
