// SPDX-License-Identifier: Apache-2.0
#include "report/wrap_words.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(WrapWords, LinesAfterTheFirstAreSetIn) {
  EXPECT_EQ(wrap_words("one two three", 4, 12), "one two\n    three");
  EXPECT_EQ(wrap_words("", 4, 12), "");
  EXPECT_EQ(wrap_words("longer_than_the_line at", 2, 10), "longer_than_the_line\n  at");
  // Characters, not bytes.
  EXPECT_EQ(wrap_words("±±±± ±±±±", 0, 9), "±±±± ±±±±");
}

TEST(WrapLongLines, GoOnBelowTheTextBehindTheirLabel) {
  EXPECT_EQ(wrap_long_lines("note      one two three\n", 20),
            "note      one two\n"
            "          three\n");
  EXPECT_EQ(wrap_long_lines("A title of some length\n", 12),
            "A title of\n"
            "  some\n"
            "  length\n");
  // Nothing is set in by more than half of the line.
  EXPECT_EQ(wrap_long_lines("note      one two", 12),
            "note      one\n"
            "  two");
}

TEST(WrapLongLines, LeaveWhatFitsAndTrees) {
  const std::string text =
      "short\n\n"
      "        |--12.34%--operator new (unsigned long)\n"
      "                  |\n"
      "                   --operator new (unsigned long)\n";
  EXPECT_EQ(wrap_long_lines(text, 20), text);
}

}  // namespace
}  // namespace nettoll
