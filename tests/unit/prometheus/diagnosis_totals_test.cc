// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/diagnosis_totals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/prometheus/sample_window.h"

namespace nettoll::exporter {
namespace {

using ::testing::ElementsAre;
using Labels = LastDiagnosis::FindingLabels;

TEST(SubjectLabel, LetsPassWhatIsBounded) {
  const std::pair<const char*, const char*> cases[] = {
      {"eth0", "eth0"},
      {"enp129s0f0np0", "enp129s0f0np0"},
      {"CPU 3", "CPU 3"},
      {"CPU 255", "CPU 255"},
      {"host", "host"},
      {"caf\xC3\xA9", "caf\xC3\xA9"},
      {"bad\xFF", "bad\xEF\xBF\xBD"},
      // Ports, processes, addresses, and whatever a later rule thinks of.
      {"UDP port 53", "socket"},
      {"UDP6 port 53 (named)", "socket"},
      {"UDP port 53 (CPU 3)", "socket"},
      {"CPU 3 (named)", "socket"},
      {"CPU ", "socket"},
      {"10.0.0.1:80", "socket"},
      {"2001:db8::1", "socket"},
      {"a_name_of_sixteen", "socket"},
      {"a/b", "socket"},
      {"", "socket"},
  };
  for (const auto& [subject, label] : cases) EXPECT_EQ(subject_label(subject), label) << subject;
}

TEST(DiagnosisTotals, TheLedgerAddsUp) {
  DiagnosisTotals totals(10, 10);
  totals.add(sample_window());
  totals.add(sample_window());
  EXPECT_EQ(*totals.layer_drops.find({"nic", "eth0", "own"}), 12u);  // both reasons of both windows
  EXPECT_EQ(*totals.layer_drops.find({"socket", "", "own"}), 12u);
  EXPECT_EQ(totals.layer_drops.size(), 2u);  // noise is in none
  const BalanceTotals& ipv4 = totals.balances.at("ipv4");
  EXPECT_EQ(ipv4.received, 200u);
  EXPECT_EQ(ipv4.delivered, 120u);
  EXPECT_EQ(ipv4.forwarded, 20u);
  EXPECT_EQ(ipv4.merged, 6u);
  EXPECT_EQ(ipv4.dropped, 40u);
}

TEST(DiagnosisTotals, ADeviceOfAnotherNamespaceIsAnotherDevice) {
  DiagnosisTotals totals(10, 10);
  DiagnosedWindow window;
  for (const uint32_t netns : {0u, 4026532001u, 4026532002u})
    window.ledger.losses.push_back({DropLayer::stack, "eth0", "NO_SOCKET", "kfree_skb", 10, netns});
  totals.add(window);
  EXPECT_EQ(*totals.layer_drops.find({"stack", "eth0", "own"}), 10u);
  EXPECT_EQ(*totals.layer_drops.find({"stack", "eth0", "other"}), 20u);
}

TEST(DiagnosisTotals, FindingsAreThoseOfTheLastWindow) {
  DiagnosisTotals totals(10, 10);
  totals.add(sample_window());
  EXPECT_THAT(
      totals.last->findings,
      ElementsAre(Labels{"receive_buffer_overflow", "warning", "socket"},  // two sockets
                  Labels{"rfs_half_configured", "note", "host"}, Labels{"ring_overflow", "critical", "eth0"},
                  Labels{"softirq_cpu_saturated", "warning", "CPU 12"}));
  EXPECT_EQ(totals.last->checks.at(Check::Outcome::fine), 2u);
  EXPECT_EQ(totals.last->checks.at(Check::Outcome::found), 1u);
  EXPECT_EQ(totals.last->checks.at(Check::Outcome::unknown), 1u);
  DiagnosedWindow quiet;
  quiet.diagnosis.findings = {finding("rfs_half_configured", Severity::note, "host")};
  quiet.end_seconds = 7;
  totals.add(quiet);
  EXPECT_THAT(totals.last->findings, ElementsAre(Labels{"rfs_half_configured", "note", "host"}));
  EXPECT_EQ(totals.last->checks.at(Check::Outcome::found), 0u);
  EXPECT_TRUE(totals.last->imbalance.empty());
  EXPECT_EQ(*totals.layer_drops.find({"nic", "eth0", "own"}), 6u);
}

TEST(DiagnosisTotals, AFailureLeavesNoFindingAndKeepsCounters) {
  DiagnosisTotals totals(10, 10);
  EXPECT_FALSE(totals.up);
  totals.add(sample_window());
  EXPECT_EQ(totals.up, true);
  totals.fail();
  EXPECT_EQ(totals.up, false);
  EXPECT_FALSE(totals.last);
  EXPECT_EQ(*totals.layer_drops.find({"nic", "eth0", "own"}), 6u);
  totals.add(sample_window());
  EXPECT_EQ(totals.up, true);
}

TEST(DiagnosisTotals, CapsKeepTheMostSevereFindings) {
  DiagnosisTotals totals(1, 2);
  DiagnosedWindow window;
  for (int i = 0; i < 4; ++i) {
    const std::string device = "veth" + std::to_string(i);
    window.diagnosis.findings.push_back(
        finding("qdisc_drops", i < 2 ? Severity::critical : Severity::note, device));
    window.ledger.losses.push_back({DropLayer::qdisc, device, "fq 1:", "qdisc", 10});
  }
  window.diagnosis.findings.push_back(
      finding("qdisc_drops", Severity::critical, "veth0"));  // is there already
  totals.add(window);
  EXPECT_THAT(totals.last->findings,
              ElementsAre(Labels{kOther, "note", kOther}, Labels{"qdisc_drops", "critical", "veth0"},
                          Labels{"qdisc_drops", "critical", "veth1"}));
  EXPECT_EQ(totals.refused_findings.count(), 2u);
  EXPECT_EQ(*totals.layer_drops.find({"qdisc", kOther, kOther}), 30u);
  EXPECT_EQ(totals.layer_drops.refused(), 3u);
  // The same subjects again are no more, and room is free for others once they are gone.
  totals.add(window);
  EXPECT_EQ(totals.refused_findings.count(), 2u);
  DiagnosedWindow other;
  other.diagnosis.findings = {finding("qdisc_drops", Severity::note, "veth3")};
  totals.add(other);
  EXPECT_THAT(totals.last->findings, ElementsAre(Labels{"qdisc_drops", "note", "veth3"}));
}

}  // namespace
}  // namespace nettoll::exporter
