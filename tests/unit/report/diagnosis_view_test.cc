// SPDX-License-Identifier: Apache-2.0
#include "report/diagnosis_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

Diagnosis one_finding() {
  Diagnosis diagnosis;
  Finding finding;
  finding.id = "rss_not_in_effect";
  finding.condition = "one queue of 4 gets the load";
  finding.severity = Severity::critical;
  finding.subject = "eth0";
  finding.evidence = {
      {"packets of queue 0", 123456, "packets"}, {"part of queue 0", 99.5, "%"}, {"queues", 4, ""}};
  finding.explanation = "The indirection table names queue 0 alone.";
  finding.cost = {{"cycles a packet on CPU 0", 1234.5, "cycles"}};
  finding.remedy = {"ethtool -X eth0 equal 4", "ethtool -x eth0"};
  diagnosis.findings = {finding};
  diagnosis.checks = {{"rss_not_in_effect", Check::Outcome::found, ""},
                      {"gro_off", Check::Outcome::fine, ""},
                      {"time_squeeze", Check::Outcome::unknown, "no window"}};
  return diagnosis;
}

HostState window_of(double seconds) {
  HostState window;
  window.seconds = seconds;
  window.notes = {"Qdiscs are unknown: refused."};
  return window;
}

Ledger some_losses() {
  Ledger ledger;
  ledger.losses = {{DropLayer::nic, "eth0", "rx_missed_errors", "rtnl_link_stats64", 12}};
  ledger.noise = {{DropLayer::stack, "", "UNIX_DISCONNECT", "kfree_skb", 3, 200},
                  {DropLayer::stack, "", "CONSUMED", "kfree_skb", 3, 201}};
  ledger.netns_names = {{201, "web"}};
  ledger.balances = {{"IPv4", 100, 90, 5, 1, 3, 0, 1, "the firewall's"}};
  ledger.unmeasured = {"sockets: not read"};
  return ledger;
}

TEST(DiagnosisView, SaysWhatWasFoundAndWhatWasAsked) {
  const std::string text = diagnosis_view(one_finding(), window_of(10));
  EXPECT_THAT(text, HasSubstr("1 finding in 10.0 s, 3 checks, 1 of them could not be made\n"));
  EXPECT_THAT(text, HasSubstr("critical: eth0: one queue of 4 gets the load (rss_not_in_effect)\n"
                              "  evidence  packets of queue 0: 123,456 packets\n"
                              "            part of queue 0: 99.5%\n"
                              "            queues: 4\n"
                              "  cost      cycles a packet on CPU 0: 1.23k cycles\n"
                              "  why       The indirection table names queue 0 alone.\n"
                              "  review    ethtool -X eth0 equal 4\n"
                              "            ethtool -x eth0\n"));
  EXPECT_THAT(text, HasSubstr("fine        gro_off\n"));
  EXPECT_THAT(text, HasSubstr("not known   time_squeeze: no window\n"));
  EXPECT_THAT(text, HasSubstr("note        Qdiscs are unknown: refused.\n"));
}

TEST(DiagnosisView, AHealthyHostHasNoFindings) {
  Diagnosis diagnosis;
  diagnosis.checks = {{"gro_off", Check::Outcome::fine, ""}};
  const std::string text = diagnosis_view(diagnosis, HostState{});
  EXPECT_THAT(text, HasSubstr("no findings in"));
  EXPECT_THAT(text, Not(HasSubstr("not known")));
}

TEST(DiagnosisView, LongSentencesAreBroken) {
  Diagnosis diagnosis = one_finding();
  diagnosis.findings[0].explanation.clear();
  for (int i = 0; i < 60; ++i) diagnosis.findings[0].explanation += "word ";
  const std::string text = diagnosis_view(diagnosis, window_of(1));
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    EXPECT_LE(end - begin, 110u) << text.substr(begin, end - begin);
}

TEST(LedgerView, LossNoiseAndBalanceStandApart) {
  const std::string text = ledger_view(some_losses());
  EXPECT_LT(text.find("rx_missed_errors"), text.find("Freed as if dropped, and no loss"));
  EXPECT_GT(text.find("UNIX_DISCONNECT"), text.find("Freed as if dropped, and no loss"));
  EXPECT_THAT(text, HasSubstr("unexplained"));
  EXPECT_THAT(text, HasSubstr("not measured  sockets: not read\n"));
  EXPECT_THAT(text, ContainsRegex("UNIX_DISCONNECT.* 200 *\n"));
  EXPECT_THAT(text, ContainsRegex("CONSUMED.* web *\n"));
  EXPECT_EQ(ledger_view(Ledger{}), "Packets lost, from the wire to the socket and back: none\n");
}

TEST(DiagnosisJson, HoldsAllOfIt) {
  const json all = diagnosis_json(one_finding(), some_losses(), window_of(2.5));
  EXPECT_EQ(all["schema"], 1);
  EXPECT_EQ(all["seconds"], 2.5);
  const json& finding = all["findings"][0];
  EXPECT_EQ(finding["id"], "rss_not_in_effect");
  EXPECT_EQ(finding["severity"], "critical");
  EXPECT_EQ(finding["evidence"][0],
            (json{{"what", "packets of queue 0"}, {"value", 123456.0}, {"unit", "packets"}}));
  EXPECT_FALSE(finding["evidence"][2].contains("unit"));
  EXPECT_EQ(finding["remedy"][0], "ethtool -X eth0 equal 4");
  EXPECT_EQ(all["checks"][2], (json{{"id", "time_squeeze"}, {"outcome", "unknown"}, {"why", "no window"}}));
  EXPECT_EQ(all["ledger"]["losses"][0]["layer"], "nic");
  EXPECT_FALSE(all["ledger"]["noise"][0].contains("device"));
  EXPECT_EQ(all["ledger"]["noise"][0]["netns"], 200);
  EXPECT_FALSE(all["ledger"]["noise"][0].contains("netns_name"));
  EXPECT_EQ(all["ledger"]["noise"][1]["netns_name"], "web");
  EXPECT_EQ(all["ledger"]["balances"][0]["unexplained"], 1);
  EXPECT_EQ(all["notes"].size(), 1u);
}

}  // namespace
}  // namespace nettoll
