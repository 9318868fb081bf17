// SPDX-License-Identifier: Apache-2.0
#include "collect/scaling_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace nettoll {
namespace {

PerfReading reading(double value, double enabled, double running) {
  return {static_cast<uint64_t>(value), static_cast<uint64_t>(enabled), static_cast<uint64_t>(running), 0};
}

TEST(ScalingError, IsNoneWhereTheEventRanAllTheTime) {
  EXPECT_EQ(ScalingError().of(reading(1000, 100, 100)), 0.0);
}

TEST(ScalingError, IsUnknownWithoutSlicesOrCounter) {
  ScalingError error;
  EXPECT_EQ(error.of(reading(1000, 100, 50)), std::nullopt);
  for (int i = 0; i < 4; ++i) error.add(reading(100, 10, 5));
  error.add(reading(0, 10, 0));  // says nothing
  EXPECT_EQ(error.of(reading(400, 50, 20)), std::nullopt);
  error.add(reading(100, 10, 5));
  EXPECT_TRUE(error.of(reading(500, 60, 25)).has_value());
  EXPECT_EQ(error.of(reading(0, 60, 0)), std::nullopt);
}

TEST(ScalingError, SlicesThatAgreeLeaveNone) {
  ScalingError error;
  for (int i = 0; i < 10; ++i) error.add(reading(100.0 * (1 + i % 3), 30, 10.0 * (1 + i % 3)));
  EXPECT_NEAR(*error.of(reading(1900, 300, 190)), 0, 1e-6);
}

TEST(ScalingError, ASlowRiseIsNone) {
  ScalingError error;
  double sum = 0;
  for (int i = 0; i < 100; ++i) {
    error.add(reading(1000 + 100 * i, 20, 10));
    sum += 1000 + 100 * i;
  }
  EXPECT_LT(*error.of(reading(sum, 2000, 1000)) / (2 * sum), 0.002);
}

// The rate of each slot of 4 ms varies; the event has the counter in three slots of ten. Over many windows
// the scaled count must be off by as much as was said.
TEST(ScalingError, IsWhatScaledCountsAreOffBy) {
  constexpr int kWindows = 2000, kSlices = 30, kSlots = 60, kSeen = 18;
  std::mt19937_64 random(1);
  std::exponential_distribution<double> events(1e-5);
  double off_squared = 0, said_squared = 0;
  for (int w = 0; w < kWindows; ++w) {
    ScalingError error;
    double truth = 0, seen = 0;
    for (int s = 0; s < kSlices; ++s) {
      double of_slice = 0;
      for (int slot = 0; slot < kSlots; ++slot) {
        const double n = std::floor(events(random));
        truth += n;
        if (slot % 10 < 3) of_slice += n;
      }
      seen += of_slice;
      error.add(reading(of_slice, kSlots * 4e6, kSeen * 4e6));
    }
    const auto said = error.of(reading(seen, kSlices * kSlots * 4e6, kSlices * kSeen * 4e6));
    ASSERT_TRUE(said);
    said_squared += *said * *said;
    off_squared += std::pow(seen / 0.3 - truth, 2);
  }
  EXPECT_NEAR(std::sqrt(off_squared / said_squared), 1, 0.1);
}

}  // namespace
}  // namespace nettoll
