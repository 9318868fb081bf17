// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/capped_map.h"

#include <gtest/gtest.h>

namespace nettoll::exporter {
namespace {

using Map = CappedMap<2, int>;
const Map::Labels kRest{kOther, kOther};

TEST(CappedMap, SharesOneEntryPastTheCap) {
  Map map(2);
  map.at({"a", "m"}, kRest) += 1;
  map.at({"b", "m"}, kRest) += 2;
  map.at({"c", "m"}, kRest) += 4;
  map.at({"d", "m"}, kRest) += 8;
  EXPECT_EQ(map.size(), 3u);
  EXPECT_EQ(*map.find({"a", "m"}), 1);
  EXPECT_EQ(*map.find(kRest), 12);
  EXPECT_EQ(map.find({"c", "m"}), nullptr);
}

TEST(CappedMap, KeepsWhatItAdmitted) {
  Map map(1);
  map.at({"a", "m"}, kRest) += 1;
  map.at({"b", "m"}, kRest) += 1;
  map.at({"a", "m"}, kRest) += 1;
  EXPECT_EQ(*map.find({"a", "m"}), 2);
}

TEST(CappedMap, CountsDistinctKeysRefused) {
  Map map(1);
  map.at({"a", "m"}, kRest);
  EXPECT_EQ(map.refused(), 0u);
  for (int i = 0; i < 3; ++i) map.at({"b", "m"}, kRest);
  map.at({"m", "b"}, kRest);
  EXPECT_EQ(map.refused(), 2u);
}

TEST(CappedMap, StaysBoundedWhenKeysNeverEnd) {
  Map map(1);
  for (int i = 0; i < 10'000; ++i) map.at({std::to_string(i), ""}, kRest) += 1;
  EXPECT_EQ(map.size(), 2u);
  EXPECT_EQ(map.refused(), Map::kRefusedLimit);
  EXPECT_EQ(*map.find(kRest), 9'999);
}

TEST(CappedMap, ACapOfNothingHasTheSharedEntryAlone) {
  Map map(0);
  map.at({"a", "m"}, kRest) += 1;
  EXPECT_EQ(map.size(), 1u);
  EXPECT_EQ(*map.find(kRest), 1);
}

}  // namespace
}  // namespace nettoll::exporter
