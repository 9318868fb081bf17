// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <prometheus/text_serializer.h>

#include "unit/prometheus/exposition_text.h"
#include "unit/prometheus/sample_tick.h"
#include "unit/prometheus/sample_window.h"

namespace nettoll::exporter {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string render(const Cumulative& cumulative, const ProcessStats& process = {}) {
  return prometheus::TextSerializer().Serialize(metric_families(cumulative.totals(), process, "0.1.0"));
}

Cumulative one_tick() {
  Cumulative cumulative;
  const Tick tick = sample_tick();
  cumulative.add(tick.profile, tick.costs);
  return cumulative;
}

TEST(Metrics, HaveTheNamesLabelsAndUnits) {
  const ProcessStats process{.cpu_seconds = 1.5, .open_fds = 9};
  const auto values = parse_exposition(render(one_tick(), process));
  const std::pair<const char*, double> expected[] = {
      {R"(nettoll_function_calls_total{function="net_rx_action",module="vmlinux",method="tracepoint"})", 40},
      {R"(nettoll_function_events_total{function="net_rx_action",module="vmlinux",event="cycles",scope="self"})",
       1000},
      {R"(nettoll_function_events_total{function="net_rx_action",module="vmlinux",event="cycles",scope="inclusive"})",
       5000},
      {R"(nettoll_function_cpu_seconds_total{function="net_rx_action",module="vmlinux",scope="self"})", 0.11},
      {R"(nettoll_function_cpu_seconds_total{function="memcpy",module="vmlinux",scope="inclusive"})", 0.04},
      {R"(nettoll_function_samples_total{function="net_rx_action",module="vmlinux",event="cpu-clock"})", 32},
      {R"(nettoll_path_packets_total{path="rx"})", 100},
      {R"(nettoll_path_segments_total{path="rx"})", 150},
      {R"(nettoll_path_events_total{path="rx",event="cycles"})", 8000},
      {R"(nettoll_path_cpu_seconds_total{path="rx"})", 0.5},
      {R"(nettoll_path_cpu_seconds_total{path="other"})", 1},
      {R"(nettoll_cpu_events_total{cpu="0",event="cycles"})", 9000},
      {R"(nettoll_cpu_packets_total{cpu="1",path="rx"})", 40},
      {R"(nettoll_cpu_seconds_total{cpu="0",path="rx"})", 0.5},
      {R"(nettoll_softirq_seconds_total{vector="net_rx",cpu="0"})", 0.25},
      {R"(nettoll_softirq_runs_total{vector="net_rx",cpu="0"})", 7},
      {R"(nettoll_drops_total{reason="NO_SOCKET",function="udp_rcv",protocol="ipv4",device="eth0"})", 7},
      {R"(nettoll_noise_drops_total{class="local_socket"})", 11},
      {R"(nettoll_noise_drops_total{class="tx_completion"})", 20},
      {R"(nettoll_rx_queue_packets_total{device="eth0",queue="0"})", 33},
      {R"(nettoll_rx_queue_packets_total{device="eth0",queue="none"})", 2},
      {R"(nettoll_napi_polls_total{device="eth0",cpu="0"})", 10},
      {R"(nettoll_napi_packets_total{device="eth0",cpu="0"})", 105},
      {R"(nettoll_napi_budget_exhausted_total{device="eth0",cpu="0"})", 1},
      {R"(nettoll_event_running_ratio{event="cycles"})", 0.5},
      {R"(nettoll_event_unattributed_total{event="cycles"})", 0},
      {R"(nettoll_unattributed_cpu_seconds_total)", 0.03},
      {R"(nettoll_samples_lost_total{event="cycles",cause="ring_full"})", 2},
      {R"(nettoll_samples_lost_total{event="cpu-clock",cause="ring_full"})", 0},
      {R"(nettoll_event_throttled_total{event="cycles"})", 0},
      {R"(nettoll_missed_events_total{program="kfree_skb"})", 1},
      {R"(nettoll_table_overflow_total{table="drops"})", 5},
      {R"(nettoll_series_dropped_total{metric="nettoll_drops_total"})", 0},
      {R"(nettoll_functions{state="sampled",method="samples"})", 2},
      {R"(nettoll_event_available{event="instructions"})", 0},
      {R"(nettoll_event_available{event="cycles"})", 1},
      {R"(nettoll_hooks_per_packet)", 2.5},
      {R"(nettoll_own_cpu_seconds_total{part="programs"})", 0.002},
      {R"(nettoll_own_cpu_seconds_total{part="user"})", 1.5},
      {R"(nettoll_build_info{version="0.1.0"})", 1},
      {R"(nettoll_session_info{kernel="6.1.0",arch="x86_64",set="core"})", 1},
      {R"(nettoll_collections_total)", 1},
      {R"(nettoll_collected_seconds_total)", 1},
      {R"(process_cpu_seconds_total)", 1.5},
      {R"(process_open_fds)", 9},
  };
  for (const auto& [series, value] : expected) {
    const auto found = values.find(series);
    if (found == values.end()) {
      ADD_FAILURE() << "no series " << series;
    } else {
      EXPECT_DOUBLE_EQ(found->second, value) << series;
    }
  }
  EXPECT_FALSE(values.contains("duplicate"));
}

TEST(Metrics, HaveWhatDiagnosisSaid) {
  Cumulative cumulative = one_tick();
  cumulative.add(sample_window());
  const auto values = parse_exposition(render(cumulative));
  const std::pair<const char*, double> expected[] = {
      {R"(nettoll_layer_drops_total{layer="nic",device="eth0",netns="own"})", 6},
      {R"(nettoll_layer_drops_total{layer="socket",device="",netns="own"})", 6},
      {R"(nettoll_ledger_received_packets_total{protocol="ipv4"})", 100},
      {R"(nettoll_ledger_explained_packets_total{protocol="ipv4",fate="delivered"})", 60},
      {R"(nettoll_ledger_explained_packets_total{protocol="ipv4",fate="forwarded"})", 10},
      {R"(nettoll_ledger_explained_packets_total{protocol="ipv4",fate="merged"})", 3},
      {R"(nettoll_ledger_explained_packets_total{protocol="ipv4",fate="dropped"})", 20},
      {R"(nettoll_finding{id="ring_overflow",severity="critical",subject="eth0"})", 1},
      {R"(nettoll_finding{id="receive_buffer_overflow",severity="warning",subject="socket"})", 1},
      {R"(nettoll_finding{id="softirq_cpu_saturated",severity="warning",subject="CPU 12"})", 1},
      {R"(nettoll_finding{id="rfs_half_configured",severity="note",subject="host"})", 1},
      {R"(nettoll_finding_checks{outcome="fine"})", 2},
      {R"(nettoll_finding_checks{outcome="found"})", 1},
      {R"(nettoll_finding_checks{outcome="unknown"})", 1},
      {R"(nettoll_rx_imbalance_ratio{device="eth0"})", 2.5},
      {R"(nettoll_last_diagnosis_timestamp_seconds)", 1'700'000'030},
      {R"(nettoll_diagnosis_interval_seconds)", 30},
      {R"(nettoll_diagnosis_up)", 1},
      {R"(nettoll_series_dropped_total{metric="nettoll_finding"})", 0},
      {R"(nettoll_series_dropped_total{metric="nettoll_layer_drops_total"})", 0},
  };
  for (const auto& [series, value] : expected) {
    const auto found = values.find(series);
    if (found == values.end()) {
      ADD_FAILURE() << "no series " << series;
    } else {
      EXPECT_DOUBLE_EQ(found->second, value) << series;
    }
  }
  const std::string text = render(cumulative);
  for (const char* secret : {"(named)", "4711", "port 53"}) EXPECT_THAT(text, Not(HasSubstr(secret)));

  cumulative.diagnosis_failed();
  const auto failed = parse_exposition(render(cumulative));
  EXPECT_EQ(failed.at("nettoll_diagnosis_up"), 0);
  EXPECT_EQ(failed.at(R"(nettoll_layer_drops_total{layer="nic",device="eth0",netns="own"})"), 6);
  for (const auto& [series, value] : failed) {
    EXPECT_FALSE(series.starts_with("nettoll_finding") || series.starts_with("nettoll_rx_imbalance") ||
                 series.starts_with("nettoll_last_diagnosis"))
        << series;
  }
}

TEST(Metrics, HaveTheBudgetAndWhatIsShed) {
  Cumulative cumulative = one_tick();
  const uint64_t before = cumulative.totals().changes;
  cumulative.set(std::nullopt);
  EXPECT_EQ(cumulative.totals().changes, before);
  for (const char* absent : {"nettoll_overhead", "nettoll_shedding", "nettoll_sampling_rate"})
    EXPECT_THAT(render(cumulative), Not(HasSubstr(absent)));

  cumulative.set(Overhead{0.01, 0.002, 0.003, 0.0005, ShedLevel::functions, 0.125, 3, 2});
  EXPECT_GT(cumulative.totals().changes, before);  // or a scrape would show what it showed
  const auto values = parse_exposition(render(cumulative));
  const std::pair<const char*, double> expected[] = {
      {R"(nettoll_overhead_budget_ratio)", 0.01},
      {R"(nettoll_overhead_ratio{part="user"})", 0.002},
      {R"(nettoll_overhead_ratio{part="programs"})", 0.003},
      {R"(nettoll_overhead_ratio{part="sampling"})", 0.0005},
      {R"(nettoll_shedding_level)", 2},
      {R"(nettoll_sampling_rate_ratio)", 0.125},
      {R"(nettoll_shedding_changes_total{direction="less"})", 3},
      {R"(nettoll_shedding_changes_total{direction="more"})", 2},
  };
  for (const auto& [series, value] : expected) {
    ASSERT_TRUE(values.contains(series)) << series;
    EXPECT_DOUBLE_EQ(values.at(series), value) << series;
  }
}

TEST(Metrics, HaveEstimatedCallsApartFromCountedOnes) {
  Cumulative cumulative = one_tick();
  cumulative.add(
      {{"ip_rcv", kVmlinux, Method::fentry, 200, 10}, {"udp_rcv", kVmlinux, Method::fentry, 0, 0}});
  cumulative.add({{"ip_rcv", kVmlinux, Method::fentry, 100.5, 7}});
  const auto values = parse_exposition(render(cumulative));
  const std::string ip_rcv = R"({function="ip_rcv",module="vmlinux",method="fentry"})";
  EXPECT_DOUBLE_EQ(values.at("nettoll_function_estimated_calls_total" + ip_rcv), 300.5);
  EXPECT_EQ(values.at("nettoll_function_slice_calls_total" + ip_rcv), 17);
  EXPECT_FALSE(values.contains("nettoll_function_calls_total" + ip_rcv));
  const std::string udp_rcv = R"({function="udp_rcv",module="vmlinux",method="fentry"})";
  EXPECT_EQ(values.at("nettoll_function_estimated_calls_total" + udp_rcv), 0);
}

TEST(Metrics, AShedFunctionKeepsItsCalls) {
  Tick tick = sample_tick();
  Cumulative cumulative;
  cumulative.add(tick.profile, tick.costs);
  tick.profile.session.functions[0].state = CountState::shed;
  tick.profile.session.functions[0].method = Method::samples;
  tick.costs.functions[0].calls.reset();
  tick.costs.functions[0].method = Method::samples;
  cumulative.add(tick.profile, tick.costs);
  const auto values = parse_exposition(render(cumulative));
  EXPECT_EQ(values.at(R"(nettoll_functions{state="shed",method="samples"})"), 1);
  EXPECT_EQ(
      values.at(
          R"(nettoll_function_calls_total{function="net_rx_action",module="vmlinux",method="tracepoint"})"),
      40);
}

TEST(Metrics, WhatWasNotMeasuredHasNoSeries) {
  const std::string text = render(one_tick());
  for (const char* absent :
       {"vfs_read", "own cost", R"(event="instructions",)", R"(nettoll_path_packets_total{path="other"})",
        R"(nettoll_path_events_total{path="other")", R"(nettoll_cpu_events_total{cpu="1")", "process_",
        R"(reason="NOT_SPECIFIED")", "nettoll_finding{", "nettoll_diagnosis_up", "nettoll_layer_drops_total{",
        R"(part="user"})", R"(event="cpu-clock",scope)",
        R"(nettoll_cpu_events_total{cpu="0",event="cpu-clock")"}) {
    EXPECT_THAT(text, Not(HasSubstr(absent)));
  }
}

TEST(Metrics, AHostWithoutPmuHasTimeAlone) {
  Tick tick = sample_tick();
  tick.profile.session.events.pop_back();
  tick.profile.losses.clear();  // they name cycles
  Cumulative cumulative;
  cumulative.add(tick.profile, tick.costs);
  const std::string text = render(cumulative);
  EXPECT_THAT(text, HasSubstr("nettoll_function_cpu_seconds_total{"));
  EXPECT_THAT(text, Not(HasSubstr("cycles")));
  EXPECT_THAT(text, Not(HasSubstr("nettoll_function_events_total")));
}

TEST(Metrics, BeforeTheFirstTickThereIsLittle) {
  const auto values = parse_exposition(render(Cumulative()));
  EXPECT_EQ(values.at(R"(nettoll_build_info{version="0.1.0"})"), 1);
  EXPECT_EQ(values.at("nettoll_collections_total"), 0);
  for (const auto& [series, value] : values) {
    EXPECT_TRUE(value == 0 || series.starts_with("nettoll_build_info")) << series;
  }
}

TEST(Metrics, EscapeLabelValues) {
  Tick tick = sample_tick();
  tick.profile.drops[0].device = "a\"b\\c\nd";
  tick.profile.queues[0].device = "q\"";
  Cumulative cumulative;
  cumulative.add(tick.profile, tick.costs);
  DiagnosedWindow window = sample_window();
  window.ledger.losses[0].device = "l\"";
  window.diagnosis.findings[0].subject = "f\"";
  window.imbalances[0].device = "i\"";
  cumulative.add(window);
  const std::string text = render(cumulative);
  for (const char* label :
       {R"(device="a\"b\\c\nd"})", R"(device="q\"",queue="0"})", R"(layer="nic",device="l\"",netns="own"})",
        R"(subject="f\""})", R"(device="i\""})"})
    EXPECT_THAT(text, HasSubstr(label));
}

TEST(Metrics, TheCapShowsInItsOwnSeries) {
  Tick tick = sample_tick();
  Cumulative cumulative({.functions = 1});
  cumulative.add(tick.profile, tick.costs);
  const auto values = parse_exposition(render(cumulative));
  EXPECT_EQ(values.at(R"(nettoll_series_dropped_total{metric="nettoll_function_calls_total"})"), 1);
  EXPECT_DOUBLE_EQ(
      values.at(R"(nettoll_function_cpu_seconds_total{function="other",module="other",scope="self"})"), 0.04);
  EXPECT_FALSE(values.contains(
      R"(nettoll_function_cpu_seconds_total{function="other",module="other",scope="inclusive"})"));
}

TEST(Metrics, CountersOnlyRise) {
  Cumulative cumulative = one_tick();
  auto before = parse_exposition(render(cumulative));
  for (int i = 0; i < 3; ++i) {
    Tick tick = sample_tick();
    if (i == 1) tick.costs = {};  // nothing happened
    cumulative.add(tick.profile, tick.costs);
    const auto now = parse_exposition(render(cumulative));
    for (const auto& [series, value] : before) {
      if (series.find("_total") == std::string::npos) continue;
      ASSERT_TRUE(now.contains(series)) << series;
      EXPECT_GE(now.at(series), value) << series;
    }
    before = now;
  }
}

TEST(Metrics, EveryFamilyIsWellFormed) {
  std::set<std::string> names;
  Cumulative cumulative = one_tick();
  cumulative.add(sample_window());
  for (const auto& family : metric_families(cumulative.totals(), {.cpu_seconds = 1}, "0.1.0")) {
    SCOPED_TRACE(family.name);
    EXPECT_TRUE(names.insert(family.name).second);
    EXPECT_FALSE(family.metric.empty());
    EXPECT_THAT(family.help, AllOf(Not(HasSubstr("\n")), EndsWith(".")));
    EXPECT_EQ(family.name.ends_with("_total"), family.type == prometheus::MetricType::Counter);
    for (const auto& metric : family.metric) EXPECT_EQ(metric.timestamp_ms, 0);
  }
}

}  // namespace
}  // namespace nettoll::exporter
