// SPDX-License-Identifier: Apache-2.0
#include "report/function_table.h"
#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"
#include "unit/report/squeeze.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string table_of(const Profile& profile, const FunctionSelection& selection,
                     const ReportOptions& options = {}) {
  return squeeze(function_table(profile, correlate(profile), selection, options));
}

std::vector<std::string> names(const CostTable& cost, const FunctionSelection& selection) {
  std::vector<std::string> list;
  for (const auto& row : select_functions(cost, selection)) list.push_back(row.function->symbol.name);
  return list;
}

ProfileBuilder busy_host() {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"default_idle", "do_idle"}, 500, 5000);
  b.sample(0, 0, {kUserName}, 100, 1000);
  b.sample(0, 0, {"clear_page"}, 40, 400);
  b.sample(0, 0, {"memcpy", "net_rx_action"}, 30, 300);
  b.sample(0, 0, {"memcpy", "__dev_queue_xmit"}, 10, 100);
  b.sample(0, 0, {"ip_rcv", "net_rx_action"}, 20, 200);
  b.count(0, 0, 7000);
  return b;
}

TEST(SelectFunctions, SortsByOwnCostAndLeavesIdleAndUserOut) {
  auto b = busy_host();
  b.counted("udp_rcv", 5);
  b.counted("tcp_v4_rcv", 0);
  const CostTable cost = correlate(b.profile);
  EXPECT_THAT(names(cost, {0, Scope::network, {}, false}),
              ElementsAre("memcpy", "ip_rcv", "net_rx_action", "__dev_queue_xmit"));
  EXPECT_THAT(names(cost, {0, Scope::network, {}, true}),
              ElementsAre("memcpy", "ip_rcv", "net_rx_action", "__dev_queue_xmit", "udp_rcv"));
  EXPECT_THAT(names(cost, {0, Scope::network, Path::tx, false}), ElementsAre("memcpy", "__dev_queue_xmit"));
  EXPECT_THAT(names(cost, {0, Scope::network, Path::timer, true}), ElementsAre("udp_rcv"));
  EXPECT_THAT(names(cost, {0, Scope::elsewhere, {}, false}), ElementsAre("clear_page"));
}

TEST(SelectFunctions, KnowsTheMainPath) {
  const CostTable cost = correlate(busy_host().profile);
  const auto rows = select_functions(cost, {0, Scope::network, {}, false});
  EXPECT_EQ(rows[0].path, Path::rx);  // memcpy: 300 of 400 in rx
  EXPECT_TRUE(rows[0].several_paths);
  EXPECT_EQ(rows[0].in_path, (Estimate{300, 30}));
  EXPECT_EQ(rows[1].path, Path::rx);
  EXPECT_FALSE(rows[1].several_paths);
}

TEST(FunctionTable, NumbersOfARow) {
  auto b = busy_host();
  b.counted("ip_rcv", 50);
  b.profile.packets = {{Path::rx, 0, 100, 100}};
  const CostTable cost = correlate(b.profile);
  const std::string text = table_of(b.profile, {0, Scope::network, Path::rx, false});
  // ip_rcv: 200 of 7000 by itself, 20 samples, 200/50 a call, 200/100 a packet.
  EXPECT_THAT(text, HasSubstr("ip_rcv vmlinux 50 f 200 ±22% 2.86% 200 ±22% 2.86% 4.00 2.00\n"));
  // net_rx_action has no cost of its own, and its calls are not counted.
  EXPECT_THAT(text, HasSubstr("net_rx_action vmlinux - - - - 500 ±14% 7.14% - 5.00\n"));
  EXPECT_THAT(text, HasSubstr("calls counted by: f fentry\n"));
}

TEST(FunctionTable, FewSamplesAreMarked) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"f", "net_rx_action"}, 4, 100).count(0, 0, 100);
  const std::string text = table_of(b.profile, {0, Scope::network, {}, false});
  EXPECT_THAT(text, HasSubstr("~100 ±50%"));
}

TEST(FunctionTable, ConditionsAreFootnotes) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"__dev_queue_xmit"}, 40, 100).sample(0, 0, {"noted", "net_rx_action"}, 20, 50);
  b.sample(0, 0, {"noted_too", "net_rx_action"}, 20, 40).count(0, 0, 190);
  auto& proxy = b.counted("__dev_queue_xmit", 9, Method::tracepoint);
  proxy.condition = "misses calls that an egress filter ended";
  proxy.denominator = false;
  b.counted("noted", 0, Method::samples).condition = "notrace";
  b.profile.calls.pop_back();
  b.counted("noted_too", 0, Method::samples).condition = "notrace";
  b.profile.calls.pop_back();
  const std::string text = table_of(b.profile, {0, Scope::network, {}, false});
  EXPECT_THAT(text, HasSubstr("9 t[1]"));
  EXPECT_THAT(text, HasSubstr("- [2]"));
  EXPECT_THAT(text, HasSubstr("calls counted by: t tracepoint\n"
                              "[1] misses calls that an egress filter ended\n"
                              "[2] notrace\n"));
}

TEST(Report, NamesCannotSteerTheTerminal) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"evil\x1b[2J\x07", "net_rx_action"}, 20, 100)
      .sample(0, 0,
              {"\xc2\x9b"
               "31m",
               "net_rx_action"},
              20, 50);
  b.sample(0, 0,
           {"\x9b"
            "2J",
            "net_rx_action"},
           20, 30)
      .sample(0, 0, {"two\nlines", "net_rx_action"}, 20, 30);
  b.count(0, 0, 150);
  b.profile.session.host = "h\rost\nname";
  const std::string text = render_report(b.profile, correlate(b.profile));
  EXPECT_THAT(text, HasSubstr("evil?[2J?"));
  EXPECT_THAT(text, HasSubstr("?31m"));
  EXPECT_THAT(text, HasSubstr("\xef\xbf\xbd"
                              "2J"));  // no UTF-8: what an eight-bit terminal obeys
  EXPECT_THAT(text, HasSubstr("two?lines"));
  EXPECT_THAT(text, HasSubstr("h?ost?name"));
  EXPECT_THAT(text, HasSubstr("±"));
}

TEST(FunctionTable, TheLimitSaysWhatItCut) {
  const auto b = busy_host();
  const CostTable cost = correlate(b.profile);
  const std::string cut = table_of(b.profile, {0, Scope::network, {}, false}, {1});
  EXPECT_THAT(cut, HasSubstr("memcpy"));
  EXPECT_THAT(cut, Not(HasSubstr("ip_rcv")));
  EXPECT_THAT(cut, HasSubstr("... 3 more (--limit 0 shows all)\n"));
  EXPECT_THAT(table_of(b.profile, {0, Scope::network, {}, false}, {0}), Not(HasSubstr("more")));
}

}  // namespace
}  // namespace nettoll
