// SPDX-License-Identifier: Apache-2.0
#include "tui/frame.h"

#include <gtest/gtest.h>

namespace nettoll::tui {
namespace {

TEST(Frame, WhatDoesNotFitIsClipped) {
  Frame frame({2, 6});
  EXPECT_EQ(frame.put(0, 2, "abcdef", Style::key), 6);
  EXPECT_EQ(frame.text(0), "  abc…");
  EXPECT_EQ(frame.at(0, 2), (Cell{U'a', Style::key}));
  EXPECT_EQ(frame.at(0, 1), Cell{});
  EXPECT_EQ(frame.put(1, 0, "abcdef", Style::normal, 3), 3);
  EXPECT_EQ(frame.text(1), "ab…");
}

TEST(Frame, PositionsOutsideAreIgnored) {
  Frame frame({1, 3});
  EXPECT_EQ(frame.put(1, 0, "x"), 0);
  EXPECT_EQ(frame.put(-1, 0, "x"), 0);
  EXPECT_EQ(frame.put(0, 3, "x"), 3);
  frame.paint(7, Style::key);
  EXPECT_EQ(frame.text(0), "");
  EXPECT_EQ(Frame({0, -1}).size(), (Size{1, 1}));
}

TEST(Frame, WideCharactersTakeTwoCells) {
  Frame frame({1, 5});
  EXPECT_EQ(frame.put(0, 0, "a网b"), 4);
  EXPECT_EQ(frame.at(0, 2).character, U'\0');
  EXPECT_EQ(frame.text(0), "a网b");
  frame.put(0, 2, "x");
  EXPECT_EQ(frame.text(0), "a xb") << "half a character is none";
  frame.put(0, 1, "网");
  frame.put(0, 1, "y");
  EXPECT_EQ(frame.text(0), "ay b");
}

TEST(Frame, RightEndsWithTheRow) {
  Frame frame({1, 6});
  EXPECT_EQ(frame.put_right(0, "abc"), 3);
  EXPECT_EQ(frame.text(0), "   abc");
  EXPECT_EQ(frame.put_right(0, "abcdefgh"), 0);
  EXPECT_EQ(frame.text(0), "abcde…");
}

}  // namespace
}  // namespace nettoll::tui
