// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(Printable, LeavesWhatPeopleRead) {
  for (const char* text :
       {"", "ip_rcv", "std::vector<int>::push_back(int const&)", "größe", "関数", "😀", "±4%"}) {
    EXPECT_EQ(printable_text(text), text);
    EXPECT_EQ(printable_line(text), text);
    EXPECT_EQ(valid_utf8(text), text);
  }
}

TEST(Printable, ReplacesWhatATerminalObeys) {
  EXPECT_EQ(printable_text("\x1b]0;owned\x07"), "?]0;owned?");
  EXPECT_EQ(printable_text("a\tb\rc\x7f"), "a?b?c?");
  EXPECT_EQ(printable_text(std::string_view("a\0b", 3)), "a?b");
  EXPECT_EQ(printable_text("\xc2\x9b"
                           "31m"),
            "?31m");                                  // CSI of C1
  EXPECT_EQ(printable_text("\xc2\xa0"), "\xc2\xa0");  // no control
  EXPECT_EQ(printable_text("a\xe2\x80\xae"
                           "b\xe2\x81\xa6"
                           "c"),
            "a?b?c");  // right-to-left override, isolate
  EXPECT_EQ(printable_text("a\xe2\x80\xa8"
                           "b"),
            "a?b");  // line separator
}

TEST(Printable, KeepsLinesWhereThereMayBeSeveral) {
  EXPECT_EQ(printable_text("a\nb"), "a\nb");
  EXPECT_EQ(printable_line("a\nb"), "a?b");
}

TEST(Printable, ReplacesBytesThatAreNoUtf8) {
  const std::string lost = "\xef\xbf\xbd";
  EXPECT_EQ(printable_line("\x9b"
                           "31m"),
            lost + "31m");  // CSI of an eight-bit terminal
  EXPECT_EQ(printable_line("a\xff"), "a" + lost);
  EXPECT_EQ(printable_line("\xc3"), lost);  // cut
  EXPECT_EQ(printable_line("\xc3("), lost + "(");
  EXPECT_EQ(printable_line("\xc0\xaf"), lost + lost);  // overlong
  EXPECT_EQ(printable_line("\xe0\x80\xaf"), lost + lost + lost);
  EXPECT_EQ(printable_line("\xed\xa0\x80"), lost + lost + lost);             // a surrogate
  EXPECT_EQ(printable_line("\xf4\x90\x80\x80"), lost + lost + lost + lost);  // past U+10FFFF
  EXPECT_EQ(valid_utf8("a\x1b\xff"), "a\x1b" + lost);
}

TEST(Printable, JsonKeepsItsMeaningInEscapes) {
  EXPECT_EQ(printable_json("{\n  \"a\": \"b\"\n}"), "{\n  \"a\": \"b\"\n}");
  EXPECT_EQ(printable_json("\"\xc2\x9b"
                           "31m\x7f\""),
            "\"\\u009b31m\\u007f\"");
  EXPECT_EQ(printable_json("\"\xe2\x80\xae\xe2\x80\xa8\n\""), "\"\\u202e\\u2028\n\"");
  EXPECT_EQ(printable_json("\"\xc2\xa0\xc3\xa4\""), "\"\xc2\xa0\xc3\xa4\"");  // no controls
}

}  // namespace
}  // namespace nettoll
