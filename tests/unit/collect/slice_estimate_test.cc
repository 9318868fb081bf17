// SPDX-License-Identifier: Apache-2.0
#include "collect/slice_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace nettoll {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

using Calls = SliceEstimate::Calls;

const std::vector<uint32_t> kFirst{0};

TEST(SliceEstimate, IsCallsAPacketTimesAllPackets) {
  SliceEstimate estimate;
  estimate.add_packets(10'000);
  const std::vector<uint32_t> all{0, 1, 2};
  estimate.add_slice(all, {500, 0, 1500}, 500);
  EXPECT_THAT(estimate.take(), ElementsAre(Calls{0, 10'000, 500}, Calls{1, 0, 0}, Calls{2, 30'000, 1500}));
  EXPECT_THAT(estimate.take(), IsEmpty()) << "each packet counts once";
}

TEST(SliceEstimate, WeighsSlicesByTheirPackets) {
  SliceEstimate estimate;
  estimate.add_packets(1000);
  estimate.add_slice(kFirst, {90}, 90);
  estimate.add_slice(kFirst, {30}, 10);
  EXPECT_THAT(estimate.take(), ElementsAre(Calls{0, 1200, 120}));
}

TEST(SliceEstimate, PacketsWaitForASliceThatSeesSome) {
  SliceEstimate estimate;
  estimate.add_packets(300);
  EXPECT_THAT(estimate.take(), IsEmpty());
  estimate.add_slice(kFirst, {5},
                     0);  // a call without a packet tells nothing of packets, and is not forgotten
  EXPECT_THAT(estimate.take(), IsEmpty());
  estimate.add_packets(700);
  estimate.add_slice(kFirst, {15}, 10);
  EXPECT_THAT(estimate.take(), ElementsAre(Calls{0, 2000, 20}));
}

TEST(SliceEstimate, EachFunctionHasTheSlicesAndPacketsSinceItsOwnLastOne) {
  SliceEstimate estimate;
  estimate.add_packets(100);
  estimate.add_slice(kFirst, {10, 7}, 20);
  EXPECT_THAT(estimate.take(), ElementsAre(Calls{0, 50, 10})) << "calls of 1 are of no slice of its own";
  estimate.add_packets(300);
  const std::vector<uint32_t> second{1};
  estimate.add_slice(second, {99, 6}, 12);
  EXPECT_THAT(estimate.take(), ElementsAre(Calls{1, 200, 6})) << "of all 400 packets";
  estimate.add_packets(100);
  estimate.add_slice(kFirst, {8, 0}, 4);
  EXPECT_THAT(estimate.take(), ElementsAre(Calls{0, 800, 8}));
}

TEST(SliceEstimate, BeginsAnewWhereAFunctionIsAnother) {
  SliceEstimate estimate;
  estimate.add_packets(100);
  estimate.add_slice(kFirst, {10}, 10);
  estimate.restart(0);
  EXPECT_THAT(estimate.take(), IsEmpty());
  estimate.add_packets(50);
  estimate.add_slice(kFirst, {1}, 5);
  EXPECT_THAT(estimate.take(), ElementsAre(Calls{0, 10, 1})) << "without the packets of before";
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
