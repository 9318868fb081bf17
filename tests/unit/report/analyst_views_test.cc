// SPDX-License-Identifier: Apache-2.0
// What an analyst asks of any capture: places, flat profile, trees, shares by what, the summary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"
#include "report/chain_report.h"
#include "report/colours.h"
#include "report/cpu_shares.h"
#include "report/flat_profile.h"
#include "report/observations_view.h"
#include "report/report.h"
#include "report/report_json.h"
#include "report/summary.h"
#include "report/views.h"
#include "unit/report/squeeze.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// Another tool's capture of two CPUs and two events; CPU 1 idles but for a softirq on top of its idle task.
ProfileBuilder capture() {
  ProfileBuilder b({"cpu-clock", "cycles"}, 2);
  b.profile.foreign = Foreign{"perf.data", "perf record", "", true, {}, 5'000'000'000, {}};
  b.symbol("main", "/usr/bin/app", SymbolKind::user);
  b.symbol("xmit", "veth");
  const auto add = [&](uint32_t event, uint32_t cpu, std::vector<uint32_t> stack, uint32_t samples) {
    b.profile.samples.push_back({event, cpu, b.profile.stacks.add(stack), samples, samples * 100});
  };
  const uint32_t main = 0;
  const uint32_t xmit = 1;
  const uint32_t send = b.symbol("udp_sendmsg");
  add(0, 0, {main}, 300);
  add(0, 0, {xmit, send, main}, 200);
  add(0, 0, {send, main}, 100);
  b.sample(0, 1, {"default_idle", "do_idle"}, 360, 36000);
  b.sample(0, 1, {"ip_rcv", "net_rx_action", "handle_softirqs", "default_idle", "do_idle"}, 40, 4000);
  add(1, 0, {xmit, send, main}, 30);
  add(1, 1, {send}, 10);
  return b;
}

ReportOptions limited(double percent) {
  ReportOptions options;
  options.percent_limit = percent;
  return options;
}

TEST(PlacesView, PartsAddUpByKernelModuleAndProgram) {
  const auto b = capture();
  EXPECT_EQ(squeeze(places_view(b.profile, correlate(b.profile), {})),
            "Code by kernel, module, program and library\n"
            "code of cpu-clock cycles\n"
            "kernel 50.00% ~25.00%\n"
            "/usr/bin/app 30.00% -\n"
            "module veth 20.00% 75.00%\n");
}

TEST(FlatView, EventsStandBesideOneAnother) {
  const auto b = capture();
  EXPECT_EQ(squeeze(flat_view(b.profile, correlate(b.profile), limited(15))),
            "Flat profile of cpu-clock, cycles, by function alone\n"
            "function of cpu-clock incl cycles incl\n"
            "default_idle vmlinux 36.00% 40.00% - -\n"
            "main /usr/bin/app 30.00% 60.00% - 75.00%\n"
            "xmit veth 20.00% 20.00% 75.00% 75.00%\n"
            "udp_sendmsg vmlinux 10.00% 30.00% ~25.00% 100.00%\n");
}

TEST(FlatProfile, TheLimitIsOfWhatRulesTheOrder) {
  const auto b = capture();
  const CostTable cost = correlate(b.profile);
  const std::vector<uint32_t> clock{0};
  const auto names = [&](ReportOptions options) {
    std::vector<std::string> list;
    for (const FlatRow& row : flat_profile(cost, clock, options)) list.push_back(row.function->symbol.name);
    return list;
  };
  EXPECT_THAT(names(limited(20)), ElementsAre("default_idle", "main", "xmit"));
  EXPECT_THAT(names(limited(20.01)), ElementsAre("default_idle", "main"));
  ReportOptions children = limited(35);
  children.children = true;
  EXPECT_THAT(names(children), ElementsAre("main", "default_idle", "do_idle"));
}

TEST(ChainsView, ATreeHasItsPercentagesWhereItBranches) {
  const auto b = capture();
  ReportOptions options;
  const auto reports = function_trees(b.profile, correlate(b.profile), ChainScope::callees, "main", options);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(chains_view(b.profile, {reports[0]}, options),
            "Callees, by cpu-clock; branches from 0.5% of it, or of a smaller function\n"
            "    self     incl  function  of\n"
            "  30.00%   60.00%  main  /usr/bin/app\n"
            "        |\n"
            "         --30.00%--udp_sendmsg\n"
            "                   |\n"
            "                    --20.00%--xmit [veth]\n");
}

TEST(ChainsView, AChainThatDoesNotBranchIsAList) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"f", "g", "h", "main"}, 20, 20).sample(0, 0, {"f", "g", "k", "main"}, 60, 60);
  ReportOptions options;
  options.chains = ChainOrder::callee;
  const CostTable cost = correlate(b.profile);
  EXPECT_EQ(
      chains_view(b.profile, chain_reports(b.profile, cost, options, 0), options),
      "Call chains of the functions alone, from the function outwards, by cycles; branches from 0.5% of "
      "it\n"
      "    self     incl  function  of\n"
      " 100.00%  100.00%  f  vmlinux\n"
      "        g\n"
      "        |\n"
      "        |--75.00%--k\n"
      "        |          main\n"
      "        |\n"
      "         --25.00%--h\n"
      "                   main\n");
}

TEST(ChainsView, FunctionsBehindTheRowsAreCounted) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"f"}, 20, 20).sample(0, 0, {"g"}, 10, 10).sample(0, 0, {"h"}, 10, 10);
  ReportOptions options;
  options.chains = ChainOrder::caller;
  const auto reports = chain_reports(b.profile, correlate(b.profile), options, 1);
  EXPECT_THAT(chains_view(b.profile, reports, options), HasSubstr("... 2 more (--limit 0 shows all)\n"));
}

TEST(FunctionTrees, AFunctionThatIsNotThereHasNone) {
  const auto b = capture();
  EXPECT_THAT(function_trees(b.profile, correlate(b.profile), ChainScope::callers, "nobody", {}), IsEmpty());
}

/// A function that does not reach the limit itself has its callers still.
TEST(FunctionTrees, TheLimitIsOfASmallFunctionsOwnCost) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"big"}, 999000, 999000)
      .sample(0, 0, {"small", "a"}, 999, 999)
      .sample(0, 0, {"small", "b"}, 1, 1);
  ReportOptions options;
  const auto reports = function_trees(b.profile, correlate(b.profile), ChainScope::callers, "small", options);
  ASSERT_EQ(reports.size(), 1u);
  ASSERT_EQ(reports[0].entries.size(), 1u);
  ASSERT_EQ(reports[0].entries[0].roots.size(), 1u);
  EXPECT_THAT(reports[0].entries[0].roots[0].children, ::testing::SizeIs(1));  // b has 0.1% of it
}

TEST(ByView, CpusAreBusyOrIdleByTheirStacks) {
  const auto b = capture();
  EXPECT_EQ(squeeze(by_view(b.profile, correlate(b.profile), Grouping::cpu, {})),
            "By CPU: busy and idle by cpu-clock, judged by stacks\n"
            "CPU state busy idle of all busy time of cycles\n"
            "0 busy 100% 0% 93.75% 75.0%\n"
            "1 partly 10.0% 90.0% 6.25% 25.0%\n");
}

TEST(ByView, WithoutCpuClockNobodyIsSaidToBeIdle) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"default_idle", "do_idle"}, 20, 20);
  EXPECT_EQ(squeeze(by_view(b.profile, correlate(b.profile), Grouping::cpu, {})),
            "By CPU: busy and idle by cpu-clock, which was not sampled, judged by stacks\n"
            "CPU state busy idle of all busy time of cycles\n"
            "0 - - - - 100%\n");
}

TEST(ByView, ACpuWhoseTimerWasSilentIsNotBusy) {
  ProfileBuilder b({"cpu-clock"}, 1);
  b.sample(0, 0, {"f"}, 30, 300).count(0, 0, 10'000);
  const CostTable cost = correlate(b.profile);
  EXPECT_EQ(squeeze(by_view(b.profile, cost, Grouping::cpu, {})),
            "By CPU: busy and idle by cpu-clock, judged by stacks\n"
            "CPU state busy idle of all busy time\n"
            "0 - 3.00% 0% 100.00%\n");
  EXPECT_THAT(squeeze(cpus_view(b.profile, cost, {})), HasSubstr("\n0 3.00% 0% 0%"));
}

TEST(CpuState, Table) {
  const auto state = [](double busy, double idle, double silent = 0) {
    CpuShare cpu;
    cpu.whole = busy + idle + silent;
    cpu.busy = {busy, 100};
    cpu.idle = {idle, 100};
    return cpu_state(cpu);
  };
  EXPECT_EQ(state(90, 10), "busy");
  EXPECT_EQ(state(89, 11), "partly");
  EXPECT_EQ(state(10, 90), "partly");
  EXPECT_EQ(state(9, 91), "idle");
  EXPECT_EQ(state(0, 0), "");
  EXPECT_EQ(state(50, 0, 50), "partly");
  EXPECT_EQ(state(3, 0, 97), "");  // what it did in most of its time nobody knows
  EXPECT_EQ(state(3, 91, 6), "idle");
  EXPECT_EQ(cpu_state({}), "");
}

TEST(ByView, PathsAndModules) {
  const auto b = capture();
  const CostTable cost = correlate(b.profile);
  EXPECT_EQ(squeeze(by_view(b.profile, cost, Grouping::path, {})),
            "By path\n"
            "path cpu-clock cycles\n"
            "rx 4.00% -\n"
            "send 30.00% 100.00%\n"
            "idle 36.00% -\n"
            "user 30.00% -\n");
  EXPECT_THAT(by_view(b.profile, cost, Grouping::module, {}), HasSubstr("module veth"));
}

TEST(ByView, NamesOfThreadsAreAbsentWhereTheyAreNotHeld) {
  auto b = capture();
  const CostTable cost = correlate(b.profile);
  EXPECT_THAT(by_view(b.profile, cost, Grouping::comm, {}), HasSubstr("does not say the names of threads"));
  b.profile.foreign->comms = {{"app", 0, 600, 60000}, {"swapper", 0, 400, 40000}, {"app", 1, 40, 4000}};
  EXPECT_EQ(squeeze(by_view(b.profile, cost, Grouping::comm, {})),
            "By comm\n"
            "comm cpu-clock cycles\n"
            "app 60.00% 100.00%\n"
            "swapper 40.00% -\n");
  b.profile.foreign.reset();
  EXPECT_THAT(by_view(b.profile, cost, Grouping::comm, {}), HasSubstr("recording of nettoll does not hold"));
}

TEST(Summary, IdleTimeIsNoHotFunction) {
  const auto b = capture();
  const CostTable cost = correlate(b.profile);
  const auto summary = summary_of(b.profile, cost);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->idle, (Estimate{36000, 360}));
  std::vector<std::string> hot;
  for (const auto& row : summary->hot) hot.push_back(row.function->symbol.name);
  EXPECT_THAT(hot, ElementsAre("main", "xmit", "udp_sendmsg", "ip_rcv"));
  ASSERT_EQ(summary->places.size(), 3u);
  EXPECT_EQ(name_of(summary->places[0]), "/usr/bin/app");
}

TEST(Summary, SaysWhereHotFunctionsAreCalledFrom) {
  const auto b = capture();
  const std::string text = squeeze(summary_view(b.profile, correlate(b.profile), {}));
  EXPECT_THAT(text, StartsWith("Summary\nwindow 1.00 s, 1,000 samples of cpu-clock; percentages are "));
  EXPECT_THAT(text, HasSubstr("idle 36.00% of cpu-clock, left out below\n"));
  EXPECT_THAT(text, HasSubstr("20.00% xmit [veth] <- udp_sendmsg <- main\n"));
}

TEST(Summary, ChainsTellWhereCodeWithoutANameIs) {
  ProfileBuilder b({"cycles"}, 1);
  b.profile.foreign.emplace();
  b.profile.symbols = {{kUnknownName, kVmlinux, SymbolKind::kernel},
                       {kUnknownName, "/lib/libc.so.6", SymbolKind::user},
                       {"main", "/bin/app", SymbolKind::user}};
  b.profile.samples.push_back({0, 0, b.profile.stacks.add(std::vector<uint32_t>{0, 1, 2}), 20, 20});
  EXPECT_THAT(squeeze(summary_view(b.profile, correlate(b.profile), {})),
              HasSubstr("chains 100.00% [unknown] (vmlinux) <- [unknown] (/lib/libc.so.6) <- main"));
}

TEST(Summary, AChainEndsWhereNoCallerHasHalf) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"f", "g", "a"}, 20, 20).sample(0, 0, {"f", "g", "b"}, 20, 20);
  b.sample(0, 0, {"f", "g", "c"}, 20, 20);
  const CostTable cost = correlate(b.profile);
  const std::vector<uint32_t> symbols{b.symbol("f")};
  const auto chains = main_chains(b.profile, cost, 0, symbols);
  ASSERT_EQ(chains.size(), 1u);
  EXPECT_THAT(chains[0].symbols, ElementsAre(b.symbol("f"), b.symbol("g")));
  EXPECT_EQ(chains[0].cost, (Estimate{60, 60}));
}

TEST(Summary, CallersWithoutANameAreNoNotableChain) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"f", kUnknownName, kUnknownName}, 40, 40);
  b.sample(0, 0, {"g", kUnknownName, "main", kUnknownName}, 30, 30);
  const CostTable cost = correlate(b.profile);
  const std::vector<uint32_t> symbols{b.symbol("f"), b.symbol("g")};
  const auto chains = main_chains(b.profile, cost, 0, symbols);
  ASSERT_EQ(chains.size(), 2u);
  EXPECT_THAT(chains[0].symbols, ElementsAre(b.symbol("f")));
  EXPECT_THAT(chains[1].symbols, ElementsAre(b.symbol("g"), b.symbol(kUnknownName), b.symbol("main")));
  const std::string text = summary_view(b.profile, cost, {});
  EXPECT_THAT(text, Not(HasSubstr("f <- ")));
  EXPECT_THAT(squeeze(text), HasSubstr("chains 42.86% g <- [unknown] <- main\n"));
}

TEST(Summary, ObservationsStandAtItsEnd) {
  const auto b = capture();
  const CostTable cost = correlate(b.profile);
  ReportOptions options;
  EXPECT_THAT(summary_view(b.profile, cost, options), Not(HasSubstr("Observations")));
  const Diagnosis observed;
  options.observations = &observed;
  EXPECT_THAT(summary_view(b.profile, cost, options), HasSubstr(observations_view(observed)));
}

TEST(AnalystReport, ACaptureThatWasCutHasNotLostNothing) {
  auto b = capture();
  const auto lost = [&] { return render_report(b.profile, correlate(b.profile), {}); };
  EXPECT_THAT(lost(), HasSubstr("lost      nothing\n"));
  b.profile.foreign->ending = Ending::cut;
  EXPECT_THAT(lost(), HasSubstr("lost      an unknown number of samples: the capture was cut\n"));
  EXPECT_EQ(report_json(b.profile, correlate(b.profile), {})["foreign"]["ending"], "cut");
  b.profile.foreign->ending = Ending::damaged;
  b.profile.losses = {{LossKind::ring_full, "", 5}};
  EXPECT_THAT(lost(),
              HasSubstr("lost      ring_full 5, an unknown number of samples: the capture is damaged\n"));
}

TEST(AnalystReport, WithoutCallChainsInclusiveCostIsNotKnown) {
  ProfileBuilder b({"cpu-clock"}, 1);
  b.profile.foreign = Foreign{"perf.data", "perf record", "", true, {}, 5'000'000'000, {}};
  b.profile.session.events[0].chains = false;
  b.sample(0, 0, {"ip_rcv"}, 100, 100);
  const CostTable cost = correlate(b.profile);
  const std::string text = squeeze(render_report(b.profile, cost, {}));
  EXPECT_THAT(text, HasSubstr("chains none: what functions cost with all that they call is not known"));
  EXPECT_THAT(text, HasSubstr("function of self incl samples\nip_rcv vmlinux 100.00% - 100\n"));
  EXPECT_THAT(text, HasSubstr("CPU busy idle user network samples"));
  EXPECT_THAT(text, HasSubstr("\n0 100% 0% 0% - 100"));
  const auto json = report_json(b.profile, cost, {});
  EXPECT_TRUE(json["functions"][0]["costs"][0].contains("self_samples"));
  EXPECT_FALSE(json["functions"][0]["costs"][0].contains("inclusive_samples"));
}

TEST(HeaderView, ATimerWithoutPeriodsCountsSamples) {
  ProfileBuilder b({"cpu-clock"}, 1);
  b.profile.session.events[0].timer = true;
  b.profile.session.events[0].unit = EventUnit::count;
  b.sample(0, 0, {"ip_rcv"}, 3089, 3089);
  EXPECT_THAT(squeeze(header_view(b.profile, correlate(b.profile))),
              HasSubstr("cpu-clock 3,089 samples 3,089"));
}

TEST(AnalystReport, AFocusShowsNothingElse) {
  const auto b = capture();
  ReportOptions options;
  options.by = Grouping::path;
  const std::string text = render_report(b.profile, correlate(b.profile), options);
  EXPECT_THAT(text, StartsWith("percent   "));
  EXPECT_THAT(text, HasSubstr("By path"));
  EXPECT_THAT(text, Not(HasSubstr("Flat profile")));
}

TEST(AnalystReport, ASelectionIsSaidAndHidesWhatItCannotDivide) {
  auto b = capture();
  b.profile.foreign.reset();
  ReportOptions options;
  options.selection = "path rx";
  const std::string text = render_report(b.profile, correlate(b.profile), options);
  EXPECT_THAT(text, HasSubstr("selected  path rx\n"));
  EXPECT_THAT(text, Not(HasSubstr("NAPI")));
  const auto json = report_json(b.profile, correlate(b.profile), options);
  EXPECT_EQ(json["selection"], "path rx");
  EXPECT_FALSE(json.contains("drops"));
}

TEST(AnalystJson, HoldsWhatTheTextDoes) {
  auto b = capture();
  ReportOptions options;
  options.chains = ChainOrder::caller;
  const auto json = report_json(b.profile, correlate(b.profile), options);
  EXPECT_EQ(json["percentages"]["trust"], "poor");  // cycles has 40 samples
  EXPECT_EQ(json["places"][0]["place"], "kernel");
  EXPECT_EQ(json["places"][0]["costs"][0]["percent"], 50.0);
  EXPECT_EQ(json["foreign"]["first_ns"], 5'000'000'000u);
  const auto& xmit = json["chains"][0]["functions"][2];
  EXPECT_EQ(xmit["function"], "xmit");
  EXPECT_EQ(xmit["tree"][0]["function"], "main");
  EXPECT_EQ(xmit["tree"][0]["children"][0]["children"][0]["cost_ns"], 20000.0);
  EXPECT_EQ(json["summary"]["hot"][0]["function"], "main");
  EXPECT_EQ(json["summary"]["idle_samples"], 360);
  EXPECT_FALSE(json.contains("observations"));

  options = {};
  options.callers = "xmit";
  const auto focus = report_json(b.profile, correlate(b.profile), options);
  EXPECT_FALSE(focus.contains("functions"));
  EXPECT_EQ(focus["callers"][0]["functions"][0]["tree"][0]["children"][0]["function"], "udp_sendmsg");
}

TEST(WithColours, OnlySharesAndTitlesHaveThem) {
  EXPECT_EQ(with_colours("Title\nfunction 12.34% 0.51% 0.49% ~5.00% ±7%\n\nNext 50%\n"),
            "\x1b[1mTitle\x1b[m\nfunction \x1b[31m12.34%\x1b[m \x1b[32m0.51%\x1b[m 0.49% "
            "~\x1b[31m5.00%\x1b[m ±7%\n\n"
            "\x1b[1mNext 50%\x1b[m\n");
  EXPECT_EQ(with_colours(""), "");
  EXPECT_EQ(with_colours("a\n% 5.5.5% b"), "\x1b[1ma\x1b[m\n% \x1b[31m5.5.5%\x1b[m b");
}

}  // namespace
}  // namespace nettoll
