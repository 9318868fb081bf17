// SPDX-License-Identifier: Apache-2.0
#include "report/diff_view.h"

#include <gtest/gtest.h>

#include "report/diff_json.h"

namespace nettoll {
namespace {

Change changed(std::optional<double> a, std::optional<double> b, bool significant) {
  Change change;
  change.a = a;
  change.b = b;
  change.samples_a = a ? 100 : 0;
  change.samples_b = b ? 100 : 0;
  change.standard_error = 10;
  change.p = change.q = significant ? 0.001 : 0.5;
  change.significant = significant;
  return change;
}

CostDiff example() {
  CostDiff diff;
  diff.a = {"before.data", "vm", "6.1", "nettoll", 10'000'000'000, 1'000'000, Ending::whole};
  diff.b = {"after.data", "vm", "6.1", "nettoll", 10'000'000'000, 2'000'000, Ending::whole};
  diff.per = diff.totals_per = DiffPer::packet;
  diff.packet_path = Path::rx;
  diff.paths = {Path::rx, Path::tx};
  diff.notes = {"kernel: A 6.1, B 6.12"};
  EventDiff event;
  event.name = "cpu-clock";
  event.unit = EventUnit::nanoseconds;
  event.total = changed(1000, 1200, true);
  event.visible = 0.1;
  event.spread = 0.031;
  event.tested = 3;
  event.paths = {{Path::rx, changed(600, 800, true), 1'000'000, 2'000'000},
                 {Path::tx, changed(400, 401, false), {}, {}}};
  event.modules = {{"nf_tables", changed({}, 150, true)}, {kVmlinux, changed(900, 910, false)}};
  FunctionChange added;
  added.symbol = {"nft_do_chain", "nf_tables"};
  added.in_b = true;
  added.self = changed({}, 150, true);
  added.inclusive = changed({}, 200, true);
  FunctionChange same;
  same.symbol = {"ip_rcv", kVmlinux};
  same.in_a = same.in_b = true;
  same.self = changed(100, 90, false);
  same.inclusive = changed(500, 490, false);
  same.per_call = changed(50, 51, false);
  same.calls_a = 10;
  same.calls_b = 20;
  FunctionChange thin;
  thin.symbol = {"bare", ""};
  thin.self = changed(1, 2, false);
  thin.self.standard_error.reset();
  thin.inclusive = thin.self;
  event.functions = {added, same, thin};
  diff.events = {event};
  diff.drops = {{{"NO_SOCKET", "core", 10, 40, 1e-5, 2e-5}}};
  return diff;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RenderDiff, ShowsWhatIsSignificant) {
  const std::string text = render_diff(example());
  for (const char* part : {"A         before.data: nettoll on vm, kernel 6.1, 10.0 s, 1,000,000 rx packets",
                           "compared  costs per rx packet, paths rx tx", "note      kernel: A 6.1, B 6.12",
                           "cpu-clock  1.00 us  1.20 us  +200 ns  +20.0%*  ±0.8%      10.0%",
                           "rx    600 ns  800 ns  +200 ns  +33.3%*", "nf_tables  -  150 ns  +150 ns  new*",
                           "Functions by cpu-clock: 1 of 3 changed; the typical one moved by 3.10%",
                           "nft_do_chain [nf_tables]", "NO_SOCKET"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  for (const char* part : {"ip_rcv", "\ntx ", "vmlinux"})
    EXPECT_FALSE(has(text, part)) << part << "\n" << text;
}

TEST(RenderDiff, ShowsTheRestOnRequest) {
  DiffViewOptions options;
  options.all = true;
  const std::string text = render_diff(example(), options);
  for (const char* part : {"ip_rcv", "\ntx ", "vmlinux", "~+100.0%"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  options.rows.limit = 1;
  EXPECT_TRUE(has(render_diff(example(), options), "... 2 more (--limit 0 shows all)"));
}

TEST(RenderDiff, ShowsNamedFunctionsInAnyCase) {
  CostDiff diff = example();
  diff.events[0].functions[1].named = true;
  EXPECT_TRUE(has(render_diff(diff), "ip_rcv"));
}

TEST(RenderDiff, SortsOnRequest) {
  DiffViewOptions options;
  options.all = true;
  const auto order = [&](DiffSort sort) {
    options.sort = sort;
    std::string names;
    const nlohmann::json json = diff_json(example(), options);
    for (const auto& row : json["events"][0]["functions"])
      names += row["function"].get<std::string>().substr(0, 1);
    return names;
  };
  EXPECT_EQ(order(DiffSort::change), "nib");
  EXPECT_EQ(order(DiffSort::name), "bin");
  EXPECT_EQ(order(DiffSort::self), "nib");  // 150, 10, 1
  EXPECT_EQ(order(DiffSort::call), "inb");  // only ip_rcv has calls
}

TEST(RenderDiff, OfNothingSaysWhy) {
  CostDiff diff;
  diff.notes = {"A and B have no event in common, so no cost is compared"};
  const std::string text = render_diff(diff);
  EXPECT_TRUE(has(text, "no event in common"));
  EXPECT_FALSE(has(text, "Functions"));
}

TEST(RenderDiff, KeepsControlCharactersFromTheTerminal) {
  CostDiff diff = example();
  diff.a.file = "a\x1b[2J";
  EXPECT_FALSE(has(render_diff(diff), "\x1b"));
}

TEST(RenderDiff, SaysThatPathsDoNotCompare) {
  CostDiff diff = example();
  diff.paths_compare = false;
  const std::string text = render_diff(diff);
  EXPECT_TRUE(has(text, "compared  costs per rx packet, all time, idle time too, since paths do not compare"))
      << text;
  EXPECT_FALSE(has(text, "paths rx tx"));
}

TEST(DiffJson, TellsWhatDoesNotCompare) {
  CostDiff diff = example();
  EXPECT_EQ(diff_json(diff)["paths_compare"], true);
  EXPECT_EQ(diff_json(diff)["uneven_names"], nlohmann::json::array());
  EXPECT_FALSE(diff_json(diff)["a"].contains("ending"));
  diff.paths_compare = false;
  diff.uneven_names = {{kVmlinux, 900, 0, 0.25, std::nullopt}, {"", 10, 20, 0.0, 1.0}};
  diff.not_compared = {"ip_rcv"};
  diff.a.ending = Ending::cut;
  diff.b.ending = Ending::damaged;
  diff.events[0].functions[0].inclusive = {};
  const nlohmann::json json = diff_json(diff);
  EXPECT_EQ(json["paths_compare"], false);
  const nlohmann::json names{
      {{"module", "vmlinux"}, {"samples_a", 900}, {"samples_b", 0}, {"unnamed_a", 0.25}},
      {{"samples_a", 10}, {"samples_b", 20}, {"unnamed_a", 0.0}, {"unnamed_b", 1.0}}};
  EXPECT_EQ(json["uneven_names"], names);
  EXPECT_EQ(json["not_compared"], nlohmann::json{"ip_rcv"});
  EXPECT_EQ(json["a"]["ending"], "cut");
  EXPECT_EQ(json["b"]["ending"], "damaged");
  EXPECT_FALSE(json["events"][0]["functions"][0].contains("inclusive"));
}

TEST(DiffJson, HoldsEverythingUnrounded) {
  DiffViewOptions options;
  options.all = true;
  const nlohmann::json json = diff_json(example(), options);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["per"], "packet");
  EXPECT_EQ(json["packet_path"], "rx");
  EXPECT_EQ(json["a"]["packets"], 1'000'000);
  const auto& event = json["events"][0];
  EXPECT_EQ(event["unit"], "ns");
  EXPECT_EQ(event["total"]["relative"], 0.2);
  EXPECT_EQ(event["total"]["significant"], true);
  EXPECT_EQ(event["significant_functions"], 1);
  const auto& added = event["functions"][0];
  EXPECT_EQ(added["in"], "b");
  EXPECT_FALSE(added["self"].contains("a"));  // absent, not 0
  EXPECT_FALSE(added["self"].contains("relative"));
  EXPECT_FALSE(added.contains("per_call"));
  const auto& same = event["functions"][1];
  EXPECT_EQ(same["in"], "both");
  EXPECT_EQ(same["calls_b"], 20);
  EXPECT_EQ(same["per_call"]["a"], 50);
  EXPECT_FALSE(event["functions"][2]["self"].contains("p"));  // not tested
  EXPECT_FALSE(event["functions"][2].contains("module"));
  EXPECT_EQ(json["drops"][0]["rate_b"], 2e-5);
  // Only what is significant, if not all is asked for.
  EXPECT_EQ(diff_json(example())["events"][0]["functions"].size(), 1u);
}

TEST(DiffJson, LeavesOutDropsThatDoNotCompare) {
  CostDiff diff = example();
  diff.drops.reset();
  EXPECT_FALSE(diff_json(diff).contains("drops"));
}

}  // namespace
}  // namespace nettoll
