// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"
#include "report/table.h"
#include "unit/report/squeeze.h"

namespace nettoll {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Two CPUs for a second: CPU 0 received for 0.6 s and sent for 0.2 s, CPU 1 was idle.
ProfileBuilder small_host() {
  ProfileBuilder b({"cpu-clock"}, 2);
  Session& session = b.profile.session;
  session.events[0].frequency = 100;
  session.host = "box";
  session.kernel = "6.12.1";
  session.arch = "x86_64";
  session.version = "0.1.0";
  session.set = "core";
  session.hooks_per_packet = 4;
  b.profile.wall_start_ns = 1'700'000'000'000'000'000;
  constexpr uint64_t kPeriod = 10'000'000;
  b.sample(0, 0, {"ip_rcv", "net_rx_action", "handle_softirqs", "asm_common_interrupt", "do_idle"}, 60,
           60 * kPeriod);
  b.sample(0, 0, {"__dev_queue_xmit", "udp_sendmsg"}, 20, 20 * kPeriod);
  b.sample(0, 0, {kUserName}, 10, 10 * kPeriod);
  b.sample(0, 0, {"default_idle", "do_idle"}, 10, 10 * kPeriod);
  b.sample(0, 1, {"default_idle", "do_idle"}, 100, 100 * kPeriod);
  b.count(0, 0, 1'000'000'000).count(0, 1, 1'000'000'000);
  b.profile.packets = {{Path::rx, 0, 300'000, 600'000}, {Path::tx, 0, 200'000, 200'000}};
  return b;
}

std::string report(const Profile& profile) {
  return squeeze(render_report(profile, correlate(profile)));
}

TEST(Report, HeaderSaysWhatWentByWithoutASample) {
  ProfileBuilder b({"cycles", "instructions"}, 1);
  b.sample(0, 0, {"f"}, 20, 200).sample(1, 0, {"f"}, 20, 200).count(0, 0, 400).count(1, 0, 200);
  const std::string text = report(b.profile);
  EXPECT_THAT(text, HasSubstr("gap cycles: 50.0% of the total went by without a sample"));
  EXPECT_THAT(text, Not(HasSubstr("gap instructions")));
}

TEST(Report, HeaderSaysThatATimersSilenceIsNobodys) {
  ProfileBuilder b({"cpu-clock"}, 1);
  b.sample(0, 0, {"f"}, 20, 200).count(0, 0, 400);
  const std::string text = report(b.profile);
  EXPECT_THAT(text,
              HasSubstr("gap cpu-clock: 50.0% of the total went by without a sample, and is in no function"));
  EXPECT_THAT(text, HasSubstr("(no sample)"));
}

TEST(Report, HeaderSaysWhereOthersHeldAllCounters) {
  ProfileBuilder b({"cycles", "instructions"}, 2);
  b.sample(0, 0, {"f"}, 20, 200).count(0, 0, 400).count(0, 1, 0, 1000, 0);
  b.count(1, 0, 10, 1000, 10).count(1, 1, 10);
  const std::string text = report(b.profile);
  EXPECT_THAT(
      text,
      HasSubstr("gap cycles: no hardware counter on CPUs 1, all the time: others may have held them all"));
  EXPECT_THAT(text, Not(HasSubstr("gap instructions: no hardware counter")));
}

TEST(Report, HeaderSaysHowFarAScaledTotalMayBeOff) {
  ProfileBuilder b({"cycles", "instructions", "cache-misses"}, 1);
  b.sample(0, 0, {"f"}, 1, 10).sample(1, 0, {"f"}, 1, 10).sample(2, 0, {"f"}, 1, 10);
  b.count(0, 0, 1000).count(1, 0, 1000, 1000, 500, 60).count(2, 0, 1000, 1000, 250);
  const std::string text = report(b.profile);
  EXPECT_THAT(text, HasSubstr("cycles 1,000 1 - 100% kernel mode\n"));
  EXPECT_THAT(text, HasSubstr("instructions 2,000 1 - 50.0% (±3%) kernel mode\n"));
  EXPECT_THAT(text, HasSubstr("cache-misses 4,000 1 - 25.0% (±?) kernel mode\n"));
}

TEST(Report, HeaderSaysWhereWhenAndWithWhat) {
  auto b = small_host();
  b.counted("ip_rcv", 300'000);
  b.counted("net_rx_action", 9000, Method::tracepoint);
  b.profile.session.missing_events = {{"cycles", "this host has no hardware counters"}};
  b.profile.session.notes = {"fentry is refused here"};
  b.profile.losses = {{LossKind::ring_full, "cpu-clock", 1234}, {LossKind::throttled, "cpu-clock", 0}};
  const std::string text = report(b.profile);
  EXPECT_THAT(
      text,
      HasSubstr("nettoll 0.1.0 on box, kernel 6.12.1 x86_64\n"
                "window 1.00 s from 2023-11-14 22:13:20 UTC, 2 CPUs online\n"
                "counting set core, 2 functions (1 by fentry, 1 by tracepoint), 4.00 hooks per packet\n"));
  EXPECT_THAT(text, HasSubstr("cpu-clock 2.00 s 200 100 Hz 100% all modes; a timer, blind where"));
  EXPECT_THAT(text, HasSubstr("not here cycles: this host has no hardware counters\n"));
  EXPECT_THAT(text, HasSubstr("lost ring_full 1,234 (cpu-clock)\n"));
  EXPECT_THAT(text, HasSubstr("note fentry is refused here\n"));
}

/// A capture of perf, with one sample in the receive path.
ProfileBuilder capture() {
  ProfileBuilder b({"cycles"}, 1);
  b.profile.foreign =
      Foreign{"perf.data", "perf record -g", "A CPU", true, {{UnnamedCause::stripped, 3, 1200}}};
  b.profile.session.version = "6.1";
  b.sample(0, 0, {"ip_rcv", "net_rx_action"}, 20, 200);
  return b;
}

TEST(Report, CapturesOfOthersSayWhatTheyAreAndWhatHasNoName) {
  const std::string text = report(capture().profile);
  EXPECT_THAT(text, HasSubstr("perf.data of perf 6.1 on unknown host, unknown kernel\n"));
  // nettoll writes such files too.
  Profile ours = capture().profile;
  ours.session.version = "nettoll 0.1.0";
  EXPECT_THAT(report(ours), HasSubstr("perf.data of nettoll 0.1.0 on unknown host, unknown kernel\n"));
  ours.session.version.clear();
  ours.session.host = "box";
  ours.session.kernel = "6.1.0";
  ours.session.arch = "x86_64";
  EXPECT_THAT(report(ours), StartsWith("perf.data on box, kernel 6.1.0 x86_64\n"));
  EXPECT_THAT(text, HasSubstr("CPU A CPU\n"));
  EXPECT_THAT(text, HasSubstr("recorded perf record -g\n"));
  EXPECT_THAT(text,
              HasSubstr("unnamed 3 samples and 1,200 of their callers: stripped (install debug symbols)\n"));
  EXPECT_THAT(text, HasSubstr("cycles 200 20 - - kernel mode\n"));
}

TEST(Report, CapturesOfOthersDoNotClaimWhatOnlyNettollCounts) {
  const std::string text = report(capture().profile);
  for (const char* absent : {"counting", "NAPI", "Receive queues", "Softirq", "Drops", "tx path", "none"})
    EXPECT_THAT(text, Not(HasSubstr(absent)));
  EXPECT_THAT(text, HasSubstr("Functions of the rx path by cycles"));
  EXPECT_THAT(text, HasSubstr("CPUs:"));
  ProfileBuilder without_cpus = capture();
  without_cpus.profile.foreign->cpus_known = false;
  EXPECT_THAT(report(without_cpus.profile), Not(HasSubstr("CPUs:")));
}

TEST(Report, PathsHoldCostPerPacketAndShares) {
  const std::string text = report(small_host().profile);
  // rx: 600 ms for 300,000 packets, 30% of 2 s, 75% of the 800 ms that network took.
  EXPECT_THAT(text, HasSubstr("rx 300,000 600,000 cpu-clock 600 ms ±13% 2.00 us 30.0% 75.0%\n"));
  EXPECT_THAT(text, HasSubstr("tx 200,000 200,000 cpu-clock 200 ms ±22% 1.00 us 10.0% 25.0%\n"));
  EXPECT_THAT(text, HasSubstr("idle - - cpu-clock 1.10 s ±10% - 55.0% -\n"));
}

TEST(Report, CpusHoldTheirTimeBesideTheirPackets) {
  const std::string text = report(small_host().profile);
  EXPECT_THAT(text, HasSubstr("0 90.0% 10.0% 10.0% 80.0% 100 - - 300,000 200,000\n"));
  // A hundred samples, none of them network: a measured 0. Packets and cycles were not measured.
  EXPECT_THAT(text, HasSubstr("1 0% 100% 0% 0% 100 - - - -\n"));
}

TEST(Report, CpuInstructionsPerCycleComeFromExactCounts) {
  ProfileBuilder b({"cycles", "instructions"}, 1);
  b.count(0, 0, 2'000'000).count(1, 0, 3'000'000);
  EXPECT_THAT(report(b.profile), HasSubstr("0 - - - - - 2.00M 1.50"));
}

TEST(Report, EfficiencyNeedsInstructions) {
  ProfileBuilder b({"cycles", "instructions", "cache-misses"}, 1);
  b.sample(0, 0, {"f", "net_rx_action"}, 100, 4000).sample(1, 0, {"f", "net_rx_action"}, 100, 2000);
  b.sample(2, 0, {"f", "net_rx_action"}, 25, 10);
  b.count(0, 0, 4000).count(1, 0, 2000).count(2, 0, 10);
  EXPECT_THAT(report(b.profile), HasSubstr("f 0.500 ±14% 5.00 ±22%\n"));
  EXPECT_THAT(report(small_host().profile), Not(HasSubstr("Instructions per cycle")));
}

TEST(Report, CountsWithoutSamplesAreShown) {
  ProfileBuilder b({"cycles"}, 2);
  b.sample(0, 0, {"f"}, 20, 75).count(0, 0, 75).count(0, 1, 25);
  EXPECT_THAT(report(b.profile), HasSubstr("(no sample) cycles 25.0 - - 25.0%"));
}

TEST(Report, NetworkCounters) {
  auto b = small_host();
  b.profile.napi = {{{1, 2}, "eth0", 0, 100, 6400, 100}, {{0, 0}, "backlog", 1, 0, 0, 0}};
  b.profile.queues = {{{1, 2}, "eth0", 0, 300}, {{1, 2}, "eth0", -1, 100}};
  b.profile.softirqs = {{3, 0, 1000, 600'000'000}, {3, 1, 1000, 200'000'000}, {99, 0, 0, 0}};
  b.profile.duration_ns = 2'000'000'000;
  b.profile.drops = {{"NO_SOCKET", "core", "udp_rcv", kVmlinux, "ipv4", "veth0", 0, 10},
                     {"unknown_99", "openvswitch", "", "", "", "", 7, 500'000}};
  const std::string text = report(b.profile);
  EXPECT_THAT(text, HasSubstr("eth0 1 0 100 6,400 64.0 100\n"));
  EXPECT_THAT(text, HasSubstr("backlog - 1 0 0 - 0\n"));
  EXPECT_THAT(text, HasSubstr("eth0 1 0 300 75.0%\n"));
  EXPECT_THAT(text, HasSubstr("eth0 1 none 100 25.0%\n"));
  // 800 ms of 2 CPUs for 2 s; CPU 0 had 600 ms of its 2 s.
  EXPECT_THAT(text, HasSubstr("net_rx 2,000 800 ms 20.0% 400 us 0 30.0%\n"));
  EXPECT_THAT(text, HasSubstr("Drops: 500,010 packets, 250k a second\n"));
  EXPECT_THAT(text, HasSubstr("openvswitch:unknown_99 - - - 7 500,000 250k\n"
                              "NO_SOCKET udp_rcv ipv4 veth0 - 10 5.00\n"));
}

TEST(Report, KernelsWithoutReasonsSaySo) {
  auto b = small_host();
  b.profile.session.drop_reasons = false;
  b.profile.drops = {{"unclassified", "core", "udp_rcv", kVmlinux, "ipv4", "", 0, 1}};
  EXPECT_THAT(report(b.profile), HasSubstr("this kernel gives no reasons"));
}

TEST(Report, AnEmptyProfileIsAReportWithoutNumbers) {
  const std::string text = report(Profile{});
  EXPECT_THAT(text, HasSubstr("nettoll on unknown host, unknown kernel\n"));
  EXPECT_THAT(text, HasSubstr("window unknown\n"));
  EXPECT_THAT(text, HasSubstr("events none ran\n"));
  EXPECT_THAT(text, HasSubstr("Functions: none was sampled or called\n"));
  EXPECT_THAT(text, HasSubstr("Drops: none recorded\n"));
  EXPECT_EQ(text.find_first_of("0123456789"), std::string::npos) << text;
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(Report, AnEventThatNeverRanShowsNoZero) {
  auto b = small_host();
  b.profile.session.events.push_back({});
  b.profile.session.events.back().name = "cache-misses";
  b.count(1, 0, 0, 1000, 0);
  const std::string text = report(b.profile);
  EXPECT_THAT(text, HasSubstr("cache-misses - - - - kernel mode\n"));
  EXPECT_THAT(text, Not(HasSubstr("Functions by cache-misses")));
}

TEST(Report, CallsAloneMakeATableWhereNothingIsSampled) {
  ProfileBuilder b({}, 1);
  b.counted("ip_rcv", 1'000'000);
  b.counted("tcp_v4_rcv", 0);
  const std::string text = report(b.profile);
  EXPECT_THAT(text, HasSubstr("ip_rcv vmlinux 1,000,000 f\n"));
  EXPECT_THAT(text, Not(HasSubstr("tcp_v4_rcv")));
}

TEST(Report, LinesFitHundredAndTwentyColumns) {
  auto b = small_host();
  const uint32_t leaf =
      b.symbol("a_function_whose_name_is_much_longer_than_any_sensible_name", "a_long_module_name");
  const std::vector<uint32_t> frames{leaf, b.symbol("net_rx_action")};
  const uint32_t stack = b.profile.stacks.add(frames);
  b.profile.samples.push_back({0, 0, stack, 3, 30'000'000});
  b.counted("net_rx_action", 9'999'999, Method::tracepoint);
  std::istringstream lines(render_report(b.profile, correlate(b.profile)));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(text_width(line), 120u) << line;
}

TEST(Report, LinesFitATerminal) {
  auto b = small_host();
  b.counted("net_rx_action", 9'999'999, Method::tracepoint);
  const CostTable cost = correlate(b.profile);
  const Diagnosis observed;
  for (const size_t columns : {40, 60, 80}) {
    ReportOptions options;
    options.terminal = columns;
    options.observations = &observed;
    std::istringstream lines(render_report(b.profile, cost, options));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(text_width(line), columns) << line;
  }
}

}  // namespace
}  // namespace nettoll
