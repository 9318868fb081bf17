// SPDX-License-Identifier: Apache-2.0
#include "report/trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "correlate/select.h"
#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A capture that nothing is wrong with: 10 s on 2 CPUs.
SamplingFacts sound() {
  SamplingFacts facts;
  facts.events = {{"cycles", 99'000, 0}};
  facts.duration_ns = 10'000'000'000;
  facts.cpus = 2;
  return facts;
}

TEST(JudgeSampling, ASoundCaptureNeedsNoReason) {
  const Verdict verdict = judge_sampling(sound());
  EXPECT_EQ(verdict.trust, Trust::good);
  EXPECT_THAT(verdict.reasons, IsEmpty());
}

TEST(JudgeSampling, Losses) {
  const auto with = [](uint64_t lost) {
    SamplingFacts facts = sound();
    facts.lost = lost;
    return judge_sampling(facts);
  };
  EXPECT_EQ(with(989).trust, Trust::good);  // of 99,989
  EXPECT_THAT(with(989).reasons, ElementsAre("0.99% of all samples were lost"));
  EXPECT_EQ(with(1000).trust, Trust::fair);    // of 100,000
  EXPECT_EQ(with(11'000).trust, Trust::poor);  // of 110,000
}

TEST(JudgeSampling, LossesAreOfAllSamplesWhereSomeWereLeftOut) {
  SamplingFacts facts = sound();
  facts.events[0].samples = 1'000;
  facts.left_out = 98'000;
  facts.lost = 1'000;
  EXPECT_THAT(judge_sampling(facts).reasons, ElementsAre("1.00% of all samples were lost"));
}

TEST(SamplingFacts, ThrottlingIsNoPartOfTheTimeOfSomeSamples) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"f"}, 5000, 5000).sample(0, 1, {"f"}, 5000, 5000);
  b.profile.duration_ns = 1'000'000'000;
  b.profile.losses = {{LossKind::throttled, "cycles", 10}};
  EXPECT_THAT(judge_sampling(sampling_facts(b.profile, correlate(b.profile))).reasons,
              ElementsAre(HasSubstr("which hides up to 5.00% of the time")));
  const Profile one = select_samples(b.profile, {{}, "", {1}});
  EXPECT_EQ(one.left_out, 5000u);
  EXPECT_THAT(judge_sampling(sampling_facts(one, correlate(one))).reasons,
              ElementsAre("sampling was throttled 10 times"));
}

TEST(JudgeSampling, WhatWasCutIsFairAtMostAndWhatIsDamagedPoor) {
  SamplingFacts facts = sound();
  facts.ending = Ending::cut;
  EXPECT_EQ(judge_sampling(facts).trust, Trust::fair);
  EXPECT_THAT(judge_sampling(facts).reasons, ElementsAre(HasSubstr("the capture was cut")));
  facts.ending = Ending::damaged;
  EXPECT_EQ(judge_sampling(facts).trust, Trust::poor);
  EXPECT_THAT(judge_sampling(facts).reasons, ElementsAre(HasSubstr("the capture is damaged")));
}

TEST(JudgeSampling, ThrottlingCountsAsTheLongestTimeThatItMayLast) {
  const auto with = [](uint64_t times) {
    SamplingFacts facts = sound();
    facts.throttled = times;
    return judge_sampling(facts).trust;
  };
  EXPECT_EQ(with(19), Trust::good);   // 0.19 s of 20
  EXPECT_EQ(with(20), Trust::fair);   // 1%
  EXPECT_EQ(with(200), Trust::poor);  // 10%
  SamplingFacts unknown = sound();
  unknown.throttled = 1;
  unknown.cpus = 0;
  EXPECT_EQ(judge_sampling(unknown).trust, Trust::fair);
}

TEST(JudgeSampling, ThinSampling) {
  const auto with = [](uint64_t samples) {
    SamplingFacts facts = sound();
    facts.events.push_back({"cache-misses", samples, 0});
    return judge_sampling(facts);
  };
  EXPECT_EQ(with(1000).trust, Trust::good);
  EXPECT_EQ(with(999).trust, Trust::fair);
  EXPECT_EQ(with(99).trust, Trust::poor);
  EXPECT_THAT(with(99).reasons, ElementsAre("cache-misses has only 99 samples"));
}

TEST(JudgeSampling, CountedWithoutSamples) {
  SamplingFacts facts = sound();
  facts.events[0].unsampled = 0.3;
  EXPECT_EQ(judge_sampling(facts).trust, Trust::fair);
  facts.events[0].unsampled = 0.5;
  EXPECT_EQ(judge_sampling(facts).trust, Trust::poor);
}

TEST(JudgeSampling, TheWorstReasonComesFirst) {
  SamplingFacts facts = sound();
  facts.lost = 1500;
  facts.events[0].unsampled = 0.6;
  const Verdict verdict = judge_sampling(facts);
  EXPECT_EQ(verdict.trust, Trust::poor);
  EXPECT_THAT(verdict.reasons, ElementsAre(HasSubstr("60.0% of cycles"), HasSubstr("were lost")));
}

TEST(JudgeSampling, NothingSampledIsNothingToTrust) {
  EXPECT_EQ(judge_sampling({}).trust, Trust::poor);
}

TEST(SamplingFacts, AreThoseOfTheProfile) {
  ProfileBuilder b({"cycles", "instructions"}, 4);
  b.sample(0, 1, {"f"}, 20, 20).sample(0, 3, {"f"}, 10, 10);
  b.profile.losses = {{LossKind::ring_full, "cycles", 3},
                      {LossKind::throttled, "cycles", 5},
                      {LossKind::unmatched_sample, "cycles", 1},
                      {LossKind::napi_table, "", 9}};
  const SamplingFacts facts = sampling_facts(b.profile, correlate(b.profile));
  ASSERT_EQ(facts.events.size(), 1u);  // instructions did not run
  EXPECT_EQ(facts.events[0].samples, 30u);
  EXPECT_EQ(facts.lost, 4u);
  EXPECT_EQ(facts.throttled, 5u);
  EXPECT_EQ(facts.cpus, 2u);
}

}  // namespace
}  // namespace nettoll
