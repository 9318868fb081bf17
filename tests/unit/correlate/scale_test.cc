// SPDX-License-Identifier: Apache-2.0
#include "correlate/scale.h"

#include <gtest/gtest.h>

#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

TEST(ScaleCounts, AMultiplexedEventIsScaledByItsOwnRatio) {
  ProfileBuilder b({"cycles", "cache-misses"}, 1);
  b.count(0, 0, 1000).count(1, 0, 30, 1000, 250);
  std::vector<EventTotal> totals;
  scale_counts(b.profile, nullptr, totals);
  EXPECT_DOUBLE_EQ(totals[0].count, 1000);
  EXPECT_DOUBLE_EQ(totals[1].count, 120);  // 30 * 1000 / 250
  EXPECT_EQ(totals[0].running_ratio, 1.0);
  EXPECT_EQ(totals[1].running_ratio, 0.25);
}

TEST(ScaleCounts, TheErrorOfScalingIsThatOfAllCpus) {
  ProfileBuilder b({"cycles", "cache-misses", "branch-misses", "instructions"}, 2);
  b.count(0, 0, 1000).count(0, 1, 1000);
  b.count(1, 0, 100, 1000, 500, 30).count(1, 1, 100, 1000, 500, 40);
  b.count(2, 0, 100, 1000, 500, 30).count(2, 1, 100, 1000, 500);
  b.count(3, 0, 100, 1000, 500, 30).count(3, 1, 0, 1000, 0);
  std::vector<EventTotal> totals;
  scale_counts(b.profile, nullptr, totals);
  EXPECT_EQ(totals[0].scaling_error, 0.0);  // nothing was scaled, whatever a recording says of it
  EXPECT_EQ(totals[1].scaling_error, 50.0);
  EXPECT_EQ(totals[2].scaling_error, std::nullopt);  // not known on CPU 1
  EXPECT_EQ(totals[3].scaling_error, std::nullopt);  // CPU 1 is not in the count
}

TEST(ScaleCounts, TellsOfCountsThatWentByWithoutASample) {
  const auto unsampled = [](uint64_t count, uint32_t samples, uint64_t running = 1000) {
    ProfileBuilder b({"cycles"}, 1);
    b.sample(0, 0, {"f"}, samples, samples * 10).count(0, 0, count, 1000, running);
    std::vector<EventTotal> totals;
    scale_counts(b.profile, nullptr, totals);
    return totals[0].unsampled;
  };
  EXPECT_EQ(unsampled(400, 20), 200);
  EXPECT_EQ(unsampled(400, 20, 500), 400);  // of 800; the samples stand for 400
  EXPECT_EQ(unsampled(200, 20), 0);
  EXPECT_EQ(unsampled(215, 20), 0);  // the last period, and chance
  EXPECT_EQ(unsampled(400, 15), 0);  // too few to say
}

TEST(ScaleCounts, ATimerThatStoppedIsSeenByTheSamplesThatWereDue) {
  const auto unsampled = [](uint64_t count, uint32_t samples) {
    ProfileBuilder b({"cpu-clock"}, 1);
    b.profile.session.events[0].timer = true;
    b.sample(0, 0, {"f"}, samples, samples * 10).count(0, 0, count, 1000, 1000);
    std::vector<EventTotal> totals;
    scale_counts(b.profile, nullptr, totals);
    return totals[0].unsampled;
  };
  EXPECT_EQ(unsampled(3000, 2), 2980);  // of 300 samples two came
  EXPECT_EQ(unsampled(3000, 300), 0);
  EXPECT_EQ(unsampled(150, 1), 0);  // 15 were due: too few to say
}

TEST(ScaleCounts, TheTimeInWhichATimerWasSilentIsNobodys) {
  ProfileBuilder b({"cpu-clock"}, 3);
  b.profile.session.events[0].timer = true;
  b.profile.session.events[0].frequency = 100'000'000;  // a sample in 10 ns
  // CPU 0 slept most of the time, CPU 1 all of it, CPU 2 none.
  b.sample(0, 0, {"f"}, 2, 20).count(0, 0, 3000).count(0, 1, 3000);
  b.sample(0, 2, {"f"}, 300, 3000).count(0, 2, 3000);
  for (const bool alone : {true, false}) {
    Carry carry;
    std::vector<EventTotal> totals;
    for (int window = 0; window < 2; ++window) {
      const ScaleTable table = scale_counts(b.profile, alone ? nullptr : &carry, totals);
      EXPECT_DOUBLE_EQ(totals[0].count, 9000);
      EXPECT_DOUBLE_EQ(totals[0].unattributed, 2980 + 3000);
      EXPECT_DOUBLE_EQ(totals[0].pending, 0);
      EXPECT_DOUBLE_EQ(table.at(0, 0).weight(b.profile.samples[0]), 20);
      EXPECT_DOUBLE_EQ(table.at(0, 2).weight(b.profile.samples[1]), 3000);
    }
  }
}

TEST(ScaleCounts, ATimerBetweenTwoSamplesWaits) {
  ProfileBuilder b({"cpu-clock"}, 1);
  b.profile.session.events[0].timer = true;
  b.profile.session.events[0].frequency = 100'000'000;
  b.count(0, 0, 150);
  Carry carry;
  std::vector<EventTotal> totals;
  scale_counts(b.profile, &carry, totals);
  EXPECT_DOUBLE_EQ(totals[0].pending, 150);
  EXPECT_DOUBLE_EQ(totals[0].unattributed, 0);
}

TEST(ScaleCounts, AnEventThatNeverRanIsUnknown) {
  ProfileBuilder b({"cycles"}, 2);
  b.count(0, 0, 0, 1000, 0).count(0, 1, 0, 0, 0);
  std::vector<EventTotal> totals;
  const ScaleTable table = scale_counts(b.profile, nullptr, totals);
  EXPECT_FALSE(table.at(0, 0).known);
  EXPECT_FALSE(table.at(0, 1).known);
  EXPECT_FALSE(totals[0].known());
  EXPECT_EQ(totals[0].running_ratio, std::nullopt);
  EXPECT_EQ(totals[0].scaling_error, std::nullopt);
}

TEST(ScaleCounts, ACpuThatNeverRanItShowsInTheRatio) {
  ProfileBuilder b({"cycles"}, 3);
  b.count(0, 0, 500, 1000, 500).count(0, 1, 0, 1000, 0);  // CPU 2 is offline: no row
  std::vector<EventTotal> totals;
  const ScaleTable table = scale_counts(b.profile, nullptr, totals);
  EXPECT_DOUBLE_EQ(totals[0].count, 1000);
  EXPECT_EQ(totals[0].running_ratio, 0.0);
  EXPECT_TRUE(table.at(0, 0).known);
  EXPECT_FALSE(table.at(0, 1).known);
  EXPECT_FALSE(table.at(0, 2).known);
}

TEST(ScaleCounts, ACounterReopenedInTheWindowAddsUp) {
  ProfileBuilder b({"cycles"}, 1);
  b.count(0, 0, 100, 500, 500).count(0, 0, 100, 400, 200);  // 100 + 200, of 900 wanted 700 had
  std::vector<EventTotal> totals;
  scale_counts(b.profile, nullptr, totals);
  EXPECT_DOUBLE_EQ(totals[0].count, 300);
  EXPECT_DOUBLE_EQ(*totals[0].running_ratio, 700.0 / 900.0);
}

TEST(ScaleCounts, MoreRunningThanEnabledDoesNotShrinkACount) {
  ProfileBuilder b({"cycles"}, 1);
  b.count(0, 0, 100, 999, 1000);
  std::vector<EventTotal> totals;
  scale_counts(b.profile, nullptr, totals);
  EXPECT_DOUBLE_EQ(totals[0].count, 100);
}

TEST(ScaleCounts, WeightIsPeriodTimesCountOverPeriods) {
  ProfileBuilder b({"cycles"}, 2);
  // CPU 0: 900 counted, periods 100 + 200, so a period of 1 weighs 3. CPU 1 has a scale of its own.
  b.sample(0, 0, {"a"}, 1, 100).sample(0, 0, {"b"}, 1, 200).sample(0, 1, {"a"}, 2, 100);
  b.count(0, 0, 900).count(0, 1, 50);
  std::vector<EventTotal> totals;
  const ScaleTable table = scale_counts(b.profile, nullptr, totals);
  EXPECT_DOUBLE_EQ(table.at(0, 0).weight(b.profile.samples[0]), 300);
  EXPECT_DOUBLE_EQ(table.at(0, 0).weight(b.profile.samples[1]), 600);
  EXPECT_DOUBLE_EQ(table.at(0, 1).weight(b.profile.samples[2]), 50);
  EXPECT_EQ(totals[0].samples, 4u);
}

TEST(ScaleCounts, SamplesWithoutAUsableCountStandForTheirPeriods) {
  ProfileBuilder b({"cycles"}, 2);
  b.sample(0, 0, {"a"}, 2, 300).sample(0, 1, {"a"}, 1, 40);
  b.count(0, 1, 0, 1000, 0);
  std::vector<EventTotal> totals;
  const ScaleTable table = scale_counts(b.profile, nullptr, totals);
  EXPECT_DOUBLE_EQ(table.at(0, 0).weight(b.profile.samples[0]), 300);
  EXPECT_DOUBLE_EQ(table.at(0, 1).weight(b.profile.samples[1]), 40);
  EXPECT_DOUBLE_EQ(totals[0].count, 340);
  EXPECT_TRUE(totals[0].known());
}

TEST(ScaleCounts, PeriodsOfADamagedCaptureDoNotWrapAround) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"f"}, 1, UINT64_MAX).sample(0, 0, {"g"}, 1, UINT64_MAX);
  std::vector<EventTotal> totals;
  const ScaleTable scale = scale_counts(b.profile, nullptr, totals);
  EXPECT_DOUBLE_EQ(totals[0].count, 0x1p65);
  for (const StackSamples& row : b.profile.samples)
    EXPECT_DOUBLE_EQ(scale.at(0, 0).weight(row), totals[0].count / 2);
}

TEST(ScaleCounts, SamplesWithoutPeriodsShareEvenly) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"a"}, 1, 0).sample(0, 0, {"b"}, 3, 0).count(0, 0, 80);
  std::vector<EventTotal> totals;
  const ScaleTable table = scale_counts(b.profile, nullptr, totals);
  EXPECT_DOUBLE_EQ(table.at(0, 0).weight(b.profile.samples[0]), 20);
  EXPECT_DOUBLE_EQ(table.at(0, 0).weight(b.profile.samples[1]), 60);
}

TEST(ScaleCounts, CountsWithoutSamplesWaitForTheNextWindow) {
  Carry carry;
  std::vector<EventTotal> totals;

  ProfileBuilder quiet({"cycles"}, 2);
  quiet.count(0, 0, 100).count(0, 1, 7).sample(0, 1, {"a"}, 1, 7);
  scale_counts(quiet.profile, &carry, totals);
  EXPECT_DOUBLE_EQ(totals[0].count, 107);
  EXPECT_DOUBLE_EQ(totals[0].unattributed, 0);
  EXPECT_DOUBLE_EQ(totals[0].pending, 100);

  scale_counts(quiet.profile, &carry, totals);
  EXPECT_DOUBLE_EQ(totals[0].pending, 200);

  ProfileBuilder busy({"cycles"}, 2);
  busy.count(0, 0, 50).sample(0, 0, {"a"}, 1, 10);
  const ScaleTable table = scale_counts(busy.profile, &carry, totals);
  EXPECT_DOUBLE_EQ(totals[0].count, 50);  // the window's own
  EXPECT_DOUBLE_EQ(totals[0].pending, 0);
  EXPECT_DOUBLE_EQ(table.at(0, 0).weight(busy.profile.samples[0]), 250);  // 100 + 100 + 50
}

}  // namespace
}  // namespace nettoll
