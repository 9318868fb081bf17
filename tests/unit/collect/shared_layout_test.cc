// SPDX-License-Identifier: Apache-2.0
// The hash that both sides of the mapped table of drop kinds compute.
#include <gtest/gtest.h>

#include <set>

#include "bpf/shared.h"

namespace nettoll {
namespace {

TEST(DropPlace, StaysInTheTableAndSpreads) {
  std::set<uint32_t> places;
  for (uint32_t reason = 1; reason <= 16; ++reason) {
    for (uint64_t location = 0xffffffff81a00000; location < 0xffffffff81a00000 + 16 * 37; location += 37) {
      const nt_drop_key key{location, reason, 8, {0xf0000000, 2}};
      const uint32_t place = nt_drop_place(&key);
      ASSERT_LT(place, static_cast<uint32_t>(NT_DROP_KINDS));
      places.insert(place);
    }
  }
  // 256 keys into 256 places: a random function fills 162 of them; far fewer would mean a poor hash.
  EXPECT_GT(places.size(), 120u);
}

TEST(DropPlace, DependsOnEveryPart) {
  const nt_drop_key base{0xffffffff81a00010, 3, 8, {0xf0000000, 2}};
  int differ = 0;
  for (int part = 0; part < 5; ++part) {
    nt_drop_key other = base;
    if (part == 0) other.location += 0x40;
    if (part == 1) other.reason = 4;
    if (part == 2) other.protocol = 0xdd86;
    if (part == 3) other.device.netns += 7;
    if (part == 4) other.device.ifindex = 3;
    differ += nt_drop_place(&base) != nt_drop_place(&other);
  }
  EXPECT_GE(differ, 4) << "one chance collision at most";
}

}  // namespace
}  // namespace nettoll
