// SPDX-License-Identifier: Apache-2.0
#include "tui/glyphs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll::tui {
namespace {

using ::testing::ElementsAre;

TEST(Glyphs, ColumnsAreThoseOfATerminal) {
  EXPECT_EQ(columns_of(""), 0);
  EXPECT_EQ(columns_of("eth0"), 4);
  EXPECT_EQ(columns_of("±4%"), 3);
  EXPECT_EQ(columns_of("网卡"), 4);
  EXPECT_EQ(columns_of("e\u0301"), 1) << "a combining accent takes no column";
}

TEST(Glyphs, NothingThatATerminalObeysIsLeft) {
  EXPECT_EQ(clip("a\033[2Jb\n\r\tc\x7F", 80), "a?[2Jb???c?");
  EXPECT_EQ(clip("\u009B31m", 80), "?31m") << "CSI as one character (C1)";
  EXPECT_EQ(clip("a\u202Eb", 80), "ab") << "text that runs the other way";
  EXPECT_EQ(clip(std::string("a\0b", 3), 80), "a?b");
}

TEST(Glyphs, BytesThatAreNoUtf8AreMarked) {
  EXPECT_EQ(clip("a\xFF\xC3", 80), "a??");
  EXPECT_EQ(clip("\xC0\xAF", 80), "??") << "an overlong slash";
  EXPECT_EQ(clip("\xED\xA0\x80", 80), "???") << "a surrogate";
  EXPECT_EQ(clip("\xF4\x90\x80\x80", 80), "????") << "past the last code point";
}

TEST(Glyphs, ClipsWholeCharacters) {
  EXPECT_EQ(clip("abcdef", 6), "abcdef");
  EXPECT_EQ(clip("abcdef", 4), "abc…");
  EXPECT_EQ(clip("abcdef", 1), "…");
  EXPECT_EQ(clip("abcdef", 0), "");
  EXPECT_EQ(clip("网卡网", 4), "网…") << "half a character is none";
  EXPECT_EQ(clip_middle("__netif_receive_skb_core", 11), "__net…_core");
  EXPECT_EQ(clip_middle("abcdef", 2), "a…");
}

TEST(Glyphs, WrapsAtSpacesAndSetsIn) {
  EXPECT_THAT(wrap("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(wrap("  why  one two", 12, 7), ElementsAre("  why  one", "      two"))
      << "no further in than half the line";
  EXPECT_THAT(wrap("  a b", 3), ElementsAre("  a", " b"));
  EXPECT_THAT(wrap("abcdefgh", 3), ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(wrap("", 3), ElementsAre(""));
}

TEST(Glyphs, AppendsUtf8OfEveryLength) {
  std::string text;
  for (const char32_t character : {U'a', U'±', U'…', U'😀'}) append_utf8(text, character);
  EXPECT_EQ(text, "a±…😀");
}

}  // namespace
}  // namespace nettoll::tui
