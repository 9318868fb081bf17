// SPDX-License-Identifier: Apache-2.0
#include "tui/fit.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace nettoll::tui {
namespace {

using Rows = std::vector<size_t>;

TEST(ShareRows, EachHasItsShare) {
  const struct {
    Rows wanted;
    size_t room;
    Rows expected;
  } cases[] = {
      {{}, 5, {}},
      {{3, 2}, 0, {0, 0}},
      {{3, 2}, 9, {3, 2}},
      {{3, 2}, 5, {3, 2}},
      {{60, 60}, 20, {10, 10}},
      {{60, 60, 60}, 20, {7, 7, 6}},
      {{1, 60, 12}, 20, {1, 10, 9}},  // what one does not want is for the others
      {{1, 3, 60, 12}, 16, {1, 3, 6, 6}},
      {{60, 2, 60}, 4, {2, 1, 1}},
  };
  for (const auto& c : cases)
    EXPECT_EQ(share_rows(c.wanted, c.room), c.expected)
        << ::testing::PrintToString(c.wanted) << " in " << c.room;
}

TEST(Fit, TextThatFitsStays) {
  EXPECT_EQ(fit("a\n\nb\n", {4, 80}), "a\n\nb\n");
  EXPECT_EQ(fit("", {4, 80}), "");
}

TEST(Fit, LinesAreClipped) {
  EXPECT_EQ(fit("abcdef\nab\n", {4, 4}), "abc…\nab\n");
}

TEST(Fit, TheEndOutlivesTheMiddle) {
  EXPECT_EQ(fit("1\n2\n3\n4\n5\n\nlost 7\nnote\n", {7, 80}),
            "1\n2\n... 3 more lines than the terminal has room for\n\nlost 7\nnote\n");
}

TEST(Fit, ATallSectionLeavesRoomForTheNext) {
  std::string text = "title\n\nLost\nrow\n\nStacks\n";
  for (int i = 0; i < 70; ++i) text += "    frame\n";
  text += "\nExamples\nheads\n";
  for (int i = 0; i < 10; ++i) text += "example\n";
  text += "\nSamples\n";
  const std::string fitted = fit(text, {24, 80});
  EXPECT_EQ(std::count(fitted.begin(), fitted.end(), '\n'), 23);
  std::string frames, examples;
  for (int i = 0; i < 6; ++i) frames += "    frame\n";
  for (int i = 0; i < 4; ++i) examples += "example\n";
  EXPECT_EQ(fitted, "title\n\nLost\nrow\n\nStacks\n" + frames +
                        "... 64 more lines than the terminal has room for\n\nExamples\nheads\n" + examples +
                        "... 6 more lines than the terminal has room for\n\nSamples\n");
}

TEST(Fit, SectionsWithoutRoomGiveWayAtTheEnd) {
  EXPECT_EQ(fit("a\nb\nc\nd\n\n1\n2\n3\n4\n\nlost\n", {9, 80}),
            "a\nb\nc\nd\n\n... 4 more lines than the terminal has room for\n\nlost\n");
}

TEST(Fit, TheBeginningIsThereOnTheSmallestScreen) {
  EXPECT_EQ(fit("1\n2\n3\n\nlost\nnote\n", {4, 80}),
            "1\n2\n... 4 more lines than the terminal has room for\n");
  EXPECT_EQ(fit("1\n2\n\nlost\n", {1, 80}), "... 4 more lines than the terminal has room for\n");
}

}  // namespace
}  // namespace nettoll::tui
