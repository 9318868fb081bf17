// SPDX-License-Identifier: Apache-2.0
#include "collect/slice_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace nettoll {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

TEST(SliceEstimate, IsCallsAPacketTimesAllPackets) {
  SliceEstimate estimate;
  estimate.add_packets(10'000);
  estimate.add_slice({500, 0, 1500}, 500);
  const auto calls = estimate.take();
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_DOUBLE_EQ(calls[0].calls, 10'000);
  EXPECT_EQ(calls[0].seen, 500U);
  EXPECT_DOUBLE_EQ(calls[1].calls, 0);
  EXPECT_DOUBLE_EQ(calls[2].calls, 30'000);
  EXPECT_EQ(calls[2].seen, 1500U);
  EXPECT_THAT(estimate.take(), IsEmpty()) << "each packet counts once";
}

TEST(SliceEstimate, WeighsSlicesByTheirPackets) {
  SliceEstimate estimate;
  estimate.add_packets(1000);
  estimate.add_slice({90}, 90);
  estimate.add_slice({30}, 10);
  EXPECT_DOUBLE_EQ(estimate.take()[0].calls, 1200);
}

TEST(SliceEstimate, PacketsWaitForASliceThatSeesSome) {
  SliceEstimate estimate;
  estimate.add_packets(300);
  EXPECT_THAT(estimate.take(), IsEmpty());
  estimate.add_slice({5}, 0);  // a call without a packet tells nothing of packets, and is not forgotten
  EXPECT_THAT(estimate.take(), IsEmpty());
  estimate.add_packets(700);
  estimate.add_slice({15}, 10);
  const auto calls = estimate.take();
  EXPECT_DOUBLE_EQ(calls[0].calls, 2000);
  EXPECT_EQ(calls[0].seen, 20U);
}

TEST(SliceOffset, StaysInTheIntervalAndGoesEverywhere) {
  std::array<int, 10> tenths{};
  for (uint64_t n = 0; n < 1000; ++n) {
    const auto offset = slice_offset(n, 5s, 250ms);
    ASSERT_GE(offset, 0ns);
    ASSERT_LE(offset, 4750ms);
    ++tenths[static_cast<size_t>(std::min<int64_t>(offset * 10 / 4750ms, 9))];
  }
  for (const int count : tenths) EXPECT_NEAR(count, 100, 3);
  EXPECT_EQ(slice_offset(3, 1s, 2s), 0ns);
}

TEST(SliceLength, IsATwentieth) {
  EXPECT_EQ(slice_length(5s), 250ms);
}

}  // namespace
}  // namespace nettoll
