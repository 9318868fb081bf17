// SPDX-License-Identifier: Apache-2.0
#include "base/gzip.h"

#include <gtest/gtest.h>

#include "fakes/gunzip.h"

namespace nettoll {
namespace {

TEST(Gzip, GivesTheTextBack) {
  std::string noise;
  uint32_t state = 1;
  for (int i = 0; i < 100'000; ++i) noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  for (const std::string& text : {std::string(), std::string("a"), std::string(1'000'000, 'x'), noise}) {
    const auto packed = gzip(text);
    ASSERT_TRUE(packed) << packed.error().text();
    EXPECT_EQ(packed->substr(0, 2), "\x1f\x8b");
    EXPECT_EQ(gunzip(*packed), text);
  }
}

}  // namespace
}  // namespace nettoll
