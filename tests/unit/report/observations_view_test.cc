// SPDX-License-Identifier: Apache-2.0
#include "report/observations_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Diagnosis one_observation() {
  Diagnosis observed;
  Finding finding;
  finding.id = "filter_cost";
  finding.condition = "walking rules takes 23% of network time";
  finding.severity = Severity::warning;
  finding.subject = "network work";
  finding.evidence = {{"part of network time (cpu-clock)", 22.67, "%", 0.52, 1489}};
  finding.explanation = "Rules are tried one after another.";
  finding.remedy = {"nft list ruleset"};
  finding.confidence = Confidence::medium;
  finding.doubts = {"3% of the samples were lost", "the whole has 200 samples"};
  observed.findings = {finding};
  observed.checks = {{"filter_cost", Check::Outcome::found, ""},
                     {"packet_taps", Check::Outcome::fine, ""},
                     {"copy_cost", Check::Outcome::unknown, "no network work was sampled"},
                     {"checksum_cost", Check::Outcome::unknown, "no network work was sampled"}};
  return observed;
}

TEST(ObservationsView, SaysHowSureEachIsAndWhatWasNotJudged) {
  const std::string text = observations_view(one_observation());
  EXPECT_THAT(text, HasSubstr("Observations\n\n"
                              "warning: network work: walking rules takes 23% of network time (filter_cost)\n"
                              "  evidence  part of network time (cpu-clock): 22.7% ±2% (1,489 samples)\n"
                              "  why       Rules are tried one after another.\n"
                              "  sure      medium: 3% of the samples were lost; the whole has 200 samples\n"
                              "  review    nft list ruleset\n"));
  EXPECT_THAT(text, HasSubstr("\nnot judged  no network work was sampled: copy_cost, checksum_cost\n"));
  EXPECT_THAT(text, Not(HasSubstr("packet_taps")));
}

TEST(ObservationsView, NoneIsSaid) {
  Diagnosis observed;
  observed.checks = {{"packet_taps", Check::Outcome::fine, ""}};
  EXPECT_EQ(observations_view(observed), "Observations\nnone\n");
}

TEST(ObservationsView, NamesCannotDriveATerminal) {
  Diagnosis observed = one_observation();
  observed.findings[0].evidence[0].what = "called by \x1b[31mred";
  EXPECT_THAT(observations_view(observed), HasSubstr("called by ?[31mred"));
}

TEST(ObservationsView, JsonHasErrorsSamplesAndConfidence) {
  const nlohmann::json json = observations_json(one_observation());
  const nlohmann::json& finding = json["findings"][0];
  EXPECT_EQ(finding["id"], "filter_cost");
  EXPECT_EQ(finding["confidence"], "medium");
  EXPECT_EQ(finding["doubts"].size(), 2u);
  EXPECT_EQ(finding["evidence"][0], nlohmann::json({{"what", "part of network time (cpu-clock)"},
                                                    {"value", 22.67},
                                                    {"unit", "%"},
                                                    {"standard_error", 0.52},
                                                    {"samples", 1489}}));
  EXPECT_EQ(json["checks"].size(), 4u);
  EXPECT_EQ(json["checks"][2]["why"], "no network work was sampled");
}

TEST(ObservationsView, WhatHasNoErrorShowsNone) {
  Diagnosis observed = one_observation();
  observed.findings[0].evidence = {{"samples lost", 12, "samples"}};
  observed.findings[0].confidence.reset();
  observed.findings[0].doubts.clear();
  EXPECT_THAT(observations_view(observed), HasSubstr("  evidence  samples lost: 12 samples\n"));
  EXPECT_THAT(observations_view(observed), Not(HasSubstr("  sure ")));
  const nlohmann::json finding = observations_json(observed)["findings"][0];
  EXPECT_FALSE(finding.contains("confidence") || finding.contains("doubts"));
  EXPECT_FALSE(finding["evidence"][0].contains("standard_error"));
}

}  // namespace
}  // namespace nettoll
