// SPDX-License-Identifier: Apache-2.0
#include "host/text.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(Text, NumbersAreTheWholeWord) {
  const struct {
    const char* text;
    int base;
    std::optional<uint64_t> value;
  } cases[] = {
      {"0", 10, 0},
      {"18446744073709551615", 10, UINT64_MAX},
      {"18446744073709551616", 10, std::nullopt},
      {"ff", 16, 255},
      {"FF", 16, 255},
      {"0xff", 16, std::nullopt},
      {"ff", 10, std::nullopt},
      {"-1", 10, std::nullopt},
      {"+1", 10, std::nullopt},
      {"1 ", 10, std::nullopt},
      {" 1", 10, std::nullopt},
      {"", 10, std::nullopt},
  };
  for (const auto& c : cases) EXPECT_EQ(number_of(c.text, c.base), c.value) << c.text;
  EXPECT_EQ(number_of<uint32_t>("4294967295"), UINT32_MAX);
  EXPECT_EQ(number_of<uint32_t>("4294967296"), std::nullopt);
}

TEST(Text, CutsLinesAndWords) {
  std::string_view text = "a  b\n\n c";
  std::string_view line = take_line(text);
  EXPECT_EQ(take_word(line), "a");
  EXPECT_EQ(take_word(line), "b");
  EXPECT_EQ(take_word(line), "");
  EXPECT_EQ(take_line(text), "");
  EXPECT_EQ(take_line(text), " c");
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(words_of("\tx  y z\r").size(), 3u);
  EXPECT_EQ(trimmed("  a b \n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
}

}  // namespace
}  // namespace nettoll
