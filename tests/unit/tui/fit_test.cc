// SPDX-License-Identifier: Apache-2.0
#include "tui/fit.h"

#include <gtest/gtest.h>

namespace nettoll::tui {
namespace {

TEST(Fit, TextThatFitsStays) {
  EXPECT_EQ(fit("a\n\nb\n", {4, 80}), "a\n\nb\n");
  EXPECT_EQ(fit("", {4, 80}), "");
}

TEST(Fit, LinesAreClipped) {
  EXPECT_EQ(fit("abcdef\nab\n", {4, 4}), "abc…\nab\n");
}

TEST(Fit, TheEndOutlivesTheMiddle) {
  EXPECT_EQ(fit("1\n2\n3\n4\n5\n\nlost 7\nnote\n", {6, 80}),
            "1\n2\n... 4 more lines than the terminal has room for\nlost 7\nnote\n");
}

TEST(Fit, TheBeginningIsThereOnTheSmallestScreen) {
  EXPECT_EQ(fit("1\n2\n\nlost\nnote\n", {4, 80}), "1\n2\n... 3 more lines than the terminal has room for\n");
  EXPECT_EQ(fit("1\n2\n\nlost\n", {1, 80}), "... 4 more lines than the terminal has room for\n");
}

}  // namespace
}  // namespace nettoll::tui
