// SPDX-License-Identifier: Apache-2.0
#include "correlate/select.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ProfileBuilder host() {
  ProfileBuilder b({"cycles"}, 2);
  b.sample(0, 0, {"memcpy", "net_rx_action"}, 3, 30);
  b.sample(0, 0, {"memcpy", "udp_sendmsg"}, 1, 10);
  b.sample(0, 1, {"memcpy", "net_rx_action"}, 2, 20);
  b.counted("memcpy", 9);
  b.profile.packets = {{Path::rx, 0, 5, 5}};
  return b;
}

std::vector<uint64_t> periods(const Profile& profile) {
  std::vector<uint64_t> list;
  for (const StackSamples& row : profile.samples) list.push_back(row.period);
  return list;
}

TEST(SelectSamples, ByPathFunctionAndCpu) {
  const Profile profile = host().profile;
  EXPECT_THAT(periods(select_samples(profile, {{Path::rx}, "", {}})), ElementsAre(30, 20));
  EXPECT_THAT(periods(select_samples(profile, {{Path::rx, Path::send}, "", {}})), ElementsAre(30, 10, 20));
  EXPECT_THAT(periods(select_samples(profile, {{}, "udp_sendmsg", {}})), ElementsAre(10));
  EXPECT_THAT(periods(select_samples(profile, {{}, "memcpy", {1}})), ElementsAre(20));
  EXPECT_THAT(periods(select_samples(profile, {{Path::send}, "memcpy", {1}})), IsEmpty());
  EXPECT_THAT(periods(select_samples(profile, {{}, "nobody", {}})), IsEmpty());
}

TEST(SelectSamples, SamplesKeepTheWeightThatCountsGaveThem) {
  auto b = host();
  b.count(0, 0, 400).count(0, 1, 500);
  const Profile rx = select_samples(b.profile, {{Path::rx}, "", {}});
  EXPECT_THAT(periods(rx), ElementsAre(300, 500));
  const CostTable cost = correlate(rx);
  EXPECT_EQ(cost.events[0].count, 800);
  EXPECT_EQ(cost.events[0].samples, 5u);
}

TEST(SelectSamples, WhatCannotBeDividedGoes) {
  const Profile rx = select_samples(host().profile, {{Path::rx}, "", {}});
  EXPECT_THAT(rx.calls, IsEmpty());
  EXPECT_THAT(rx.packets, IsEmpty());
}

TEST(SampleSelection, AsksForNothingWhereItIsEmpty) {
  EXPECT_FALSE(SampleSelection{}.any());
  EXPECT_TRUE((SampleSelection{{}, "", {0}}).any());
}

}  // namespace
}  // namespace nettoll
