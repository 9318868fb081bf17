// SPDX-License-Identifier: Apache-2.0
#include "correlate/diff_gate.h"

#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

TEST(ParseFailLimit, TakesWhatIsDocumented) {
  struct Case {
    const char* text;
    FailLimit expected;
  };
  for (const Case& c : {Case{"+5%", {"", {}, 0.05}},
                        {"+0%", {"", {}, 0}},
                        {"+2.5%", {"", {}, 0.025}},
                        {"cycles+5%", {"cycles", {}, 0.05}},
                        {"cycles:packet+5%", {"cycles", DiffPer::packet, 0.05}},
                        {":second+10%", {"", DiffPer::second, 0.1}},
                        {"net:netif_rx+5%", {"net:netif_rx", {}, 0.05}},
                        {"cycles:u:share+5%", {"cycles:u", DiffPer::share, 0.05}}}) {
    const auto limit = parse_fail_limit(c.text);
    ASSERT_TRUE(limit) << c.text;
    EXPECT_EQ(*limit, c.expected) << c.text;
  }
}

TEST(ParseFailLimit, RefusesTheRest) {
  for (const char* text :
       {"", "5%", "+5", "+%", "+-5%", "+5%x", "-5%", "+nan%", "+inf%", "cycles", ":call+5%", "+ 5%"}) {
    const auto limit = parse_fail_limit(text);
    ASSERT_FALSE(limit) << text;
    EXPECT_EQ(limit.error().kind, ErrorKind::usage);
  }
}

Change changed(double a, double b, bool significant) {
  Change change;
  if (a > 0) change.a = a;
  if (b > 0) change.b = b;
  change.standard_error = 1;
  change.significant = significant;
  return change;
}

CostDiff with_total(const Change& total) {
  CostDiff diff;
  EventDiff event;
  event.name = "cycles";
  event.total = total;
  diff.events.push_back(event);
  return diff;
}

size_t found(const CostDiff& diff, double limit, const std::string& event = "") {
  const auto list = regressions(diff, {event, {}, limit});
  EXPECT_TRUE(list);
  return list ? list->size() : 99;
}

TEST(Regressions, AreSignificantGrowthBeyondTheLimit) {
  EXPECT_EQ(found(with_total(changed(100, 110, true)), 0.05), 1u);
  EXPECT_EQ(found(with_total(changed(100, 110, true)), 0.15), 0u);   // within
  EXPECT_EQ(found(with_total(changed(100, 110, false)), 0.05), 0u);  // chance
  EXPECT_EQ(found(with_total(changed(100, 50, true)), 0.05), 0u);    // better
  EXPECT_EQ(found(with_total(changed(100, 110, true)), 0.05, "cycles"), 1u);
}

TEST(Regressions, OfNamedFunctionsCountToo) {
  CostDiff diff = with_total(changed(100, 101, false));
  FunctionChange f;
  f.symbol = {"nft_do_chain", "nf_tables"};
  f.self = changed(0, 5, true);
  f.inclusive = changed(10, 20, true);
  diff.events[0].functions.push_back(f);
  EXPECT_EQ(found(diff, 0.05), 0u);
  diff.events[0].functions[0].named = true;
  const auto list = regressions(diff, {"", {}, 0.05});
  ASSERT_TRUE(list);
  EXPECT_EQ(*list, (std::vector<std::string>{
                       "cycles of nft_do_chain itself is in B alone (limit 5%)",
                       "cycles of nft_do_chain with what it calls grew by 100.0% (limit 5%)"}));
}

TEST(Regressions, FailWhereThereIsNoAnswer) {
  EXPECT_FALSE(regressions(CostDiff(), {"", {}, 0.05}));
  EXPECT_FALSE(regressions(with_total(changed(1, 2, true)), {"cache-misses", {}, 0.05}));
  Change untested = changed(100, 110, false);
  untested.standard_error.reset();
  const auto few = regressions(with_total(untested), {"", {}, 0.05});
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().kind, ErrorKind::failure);
}

TEST(Regressions, FindTheEventHoweverItIsWritten) {
  EXPECT_EQ(found(with_total(changed(100, 110, true)), 0.05, "cpu-cycles:k"), 1u);
}

TEST(Regressions, AreNotJudgedWhereTheSidesDoNotCompare) {
  const auto refused = [](const CostDiff& diff, const std::string& part) {
    const auto list = regressions(diff, {"", {}, 0.05});
    ASSERT_FALSE(list) << part;
    EXPECT_EQ(list.error().kind, ErrorKind::failure);
    EXPECT_NE(list.error().text().find(part), std::string::npos) << list.error().text();
  };
  CostDiff paths = with_total(changed(100, 110, true));
  paths.paths_compare = false;
  refused(paths, "A and B do not compare");
  CostDiff named = with_total(changed(100, 100, false));
  named.not_compared = {"ip_rcv"};
  refused(named, "ip_rcv was not compared");
  CostDiff damaged = with_total(changed(100, 100, false));
  damaged.b.ending = Ending::damaged;
  refused(damaged, "B is damaged");
  damaged.b.ending = Ending::cut;
  EXPECT_EQ(found(damaged, 0.05), 0u);
}

TEST(CheckGate, RefusesWhatNeitherSideHas) {
  ProfileBuilder b({"cycles:k", "cpu-clock"}, 1);
  b.sample(0, 0, {"ip_rcv.isra.0"}, 10, 10);
  const CostTable cost = correlate(b.profile);
  const DiffInput side{b.profile, cost, "a.data"};
  EXPECT_TRUE(check_gate({"", {}, 0.05}, {"ip_rcv"}, side, side));
  EXPECT_TRUE(check_gate({"cpu-cycles", {}, 0.05}, {}, side, side));
  const auto event = check_gate({"cycels", {}, 0.05}, {}, side, side);
  ASSERT_FALSE(event);
  EXPECT_EQ(event.error().kind, ErrorKind::usage);
  EXPECT_EQ(event.error().remedy, "did you mean cycles?");
  const auto function = check_gate({"", {}, 0.05}, {"ip_rvc"}, side, side);
  ASSERT_FALSE(function);
  EXPECT_EQ(function.error().kind, ErrorKind::usage);
  EXPECT_EQ(function.error().remedy, "did you mean ip_rcv?");
}

}  // namespace
}  // namespace nettoll
