// SPDX-License-Identifier: Apache-2.0
#include "symbolize/address_cache.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(AddressCache, GrowsAndForgets) {
  AddressCache cache;
  constexpr uint64_t kBase = 0xffffffff81000000;
  for (uint32_t i = 0; i < 50000; ++i) {
    ASSERT_EQ(cache.find(kBase + i * 16), AddressCache::kAbsent) << i;
    cache.insert(kBase + i * 16, i);
  }
  EXPECT_EQ(cache.size(), 50000u);
  for (uint32_t i = 0; i < 50000; ++i) ASSERT_EQ(cache.find(kBase + i * 16), i);
  EXPECT_EQ(cache.find(kBase + 1), AddressCache::kAbsent);
  cache.clear();
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(cache.find(kBase), AddressCache::kAbsent);
}

}  // namespace
}  // namespace nettoll
