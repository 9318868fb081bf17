// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

using Kind = TextTable::Kind;

TEST(TextTable, AlignsTextLeftAndNumbersRight) {
  TextTable table({{"name", Kind::text}, {"n"}, {"note", Kind::text}});
  table.add({"a", "1", "x"});
  table.add({"longer", "1,000", ""});
  EXPECT_EQ(table.render(),
            "name        n  note\n"
            "a           1  x\n"
            "longer  1,000\n");
}

TEST(TextTable, WidthsAreOfCodePoints) {
  TextTable table({{"±"}, {"v"}});
  table.add({"±4%", "1"});
  table.add({"12345", "2"});
  EXPECT_EQ(table.render(),
            "    ±  v\n"
            "  ±4%  1\n"
            "12345  2\n");
}

TEST(TextTable, NamesShortenUntilTheLineFits) {
  TextTable table({{"function", Kind::name}, {"n"}});
  table.add({"a_function_with_a_really_long_name", "12345"});
  const std::string text = table.render(30);
  EXPECT_NE(text.find("a_function_.._long_name  12345\n"), std::string::npos) << text;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 30u);
    begin = end + 1;
  }
  // Not below the shortest name, whatever the width.
  EXPECT_NE(table.render(5).find("a_fun.._name  12345"), std::string::npos) << table.render(5);
}

TEST(TextTable, WhatDoesNotFitATerminalGoesOnBelow) {
  TextTable table({{"function", Kind::name}, {"calls"}, {"self"}, beside("%"), {"/packet"}});
  table.add({"ip_rcv", "1,000", "12.3M", "4.5%", "123"});
  table.add({"udp_queue_rcv_one_skb", "2,000", "1.23M", "0.4%", "12"});
  EXPECT_EQ(table.fold(120), table.render());
  EXPECT_EQ(table.fold(30),
            "function         calls\n"
            "ip_rcv           1,000\n"
            "udp_que..ne_skb  2,000\n"
            "\n"
            "function          self     %\n"
            "ip_rcv           12.3M  4.5%\n"
            "udp_que..ne_skb  1.23M  0.4%\n"
            "\n"
            "function         /packet\n"
            "ip_rcv               123\n"
            "udp_que..ne_skb       12\n");
}

TEST(TextTable, NamesThatAreThereTwiceGoOnBelowWithWhatTellsThemApart) {
  TextTable table(
      {{"function", Kind::name}, {"of", Kind::name}, {"cycles"}, {"instructions"}, {"cache-misses"}});
  table.add({"[unknown]", "libpython", "12.34%", "23.45%", "3.45%"});
  table.add({"[unknown]", "libc", "1.23%", "2.34%", "3.45%"});
  table.add({"a_function_with_a_name", "a_library_with_a_name", "1.00%", "1.00%", "1.00%"});
  EXPECT_EQ(table.fold(56),
            "function        of            cycles  instructions\n"
            "[unknown]       libpython     12.34%        23.45%\n"
            "[unknown]       libc           1.23%         2.34%\n"
            "a_func..a_name  a_lib.._name   1.00%         1.00%\n"
            "\n"
            "function        of            cache-misses\n"
            "[unknown]       libpython            3.45%\n"
            "[unknown]       libc                 3.45%\n"
            "a_func..a_name  a_lib.._name         1.00%\n");
}

TEST(TextTable, RowsOfAGroupGoOnBelowWithWhatTellsThemApart) {
  TextTable table({{"path", Kind::text}, {"packets"}, {"event", Kind::text}, {"cost"}, beside("±")});
  table.add({"rx", "1,000,000", "cycles", "12.3M", "±4%"});
  table.add({"", "", "misses", "123k", "±14%"});
  table.add({"tx", "2,000", "cycles", "1.23M", "±5%"});
  EXPECT_EQ(table.fold(30),
            "path  event     packets\n"
            "rx    cycles  1,000,000\n"
            "      misses\n"
            "tx    cycles      2,000\n"
            "\n"
            "path  event    cost     ±\n"
            "rx    cycles  12.3M   ±4%\n"
            "      misses   123k  ±14%\n"
            "tx    cycles  1.23M   ±5%\n");
}

TEST(TextTable, ColumnsWithoutAValueAreLeftOutWhereTheyDoNotFit) {
  TextTable table({{"function", Kind::name}, {"calls"}, {"by", Kind::text, true}, {"self"}, {"/packet"}});
  table.add({"ip_rcv", "-", "[1]", "12.3M", "-"});
  table.add({"udp_rcv", "-", "", "1.23M", "-"});
  EXPECT_EQ(table.fold(36), table.render());
  // What says something of a column that has no value keeps it.
  EXPECT_EQ(table.fold(30),
            "function  calls  by    self\n"
            "ip_rcv        -  [1]  12.3M\n"
            "udp_rcv       -       1.23M\n");
  TextTable none({{"function", Kind::name}, {"calls"}, {"self"}, beside("%")});
  none.add({"ip_rcv", "-", "-", "-"});
  EXPECT_EQ(none.fold(12), "function\nip_rcv\n");
}

TEST(TextTable, AColumnApartFromTheOneThatItIsOfSaysWhichThatIs) {
  TextTable table({{"function", Kind::name}, {"self"}, beside("±"), beside("%")});
  table.add({"ip_rcv", "123,456,789", "±12%", "4.5%"});
  EXPECT_EQ(table.fold(20),
            "function         self\n"
            "ip_rcv    123,456,789\n"
            "\n"
            "function  self ±\n"
            "ip_rcv      ±12%\n"
            "\n"
            "function  self %\n"
            "ip_rcv      4.5%\n");
  // As narrow as no terminal is: every column is still there.
  EXPECT_EQ(table.fold(0), table.fold(1));
  EXPECT_NE(table.fold(1).find("123,456,789"), std::string::npos);
}

TEST(TextTable, PathsKeepTheNameOfTheFile) {
  TextTable table({{"of", Kind::name}, {"n"}});
  table.add({"/lib/x86_64-linux-gnu/libc-2.19.so", "1"});
  table.add({"/lib/x86_64-linux-gnu/ld-2.19.so", "2"});
  table.add({"/usr/bin/ä/öüßäöüßäöü", "3"});
  table.add({"/usr/bin/app", "4"});
  EXPECT_EQ(table.render(15),
            "of            n\n"
            "..bc-2.19.so  1\n"
            "..ld-2.19.so  2\n"
            "..öüßäöüßäöü  3\n"
            "/usr/bin/app  4\n");
}

TEST(TextTable, CellsStayOnTheirLine) {
  TextTable table({{"name", Kind::text}, {"n"}});
  table.add({"a\nforged  9", "1"});
  EXPECT_EQ(table.render(),
            "name         n\n"
            "a?forged  9  1\n");
}

TEST(TextTable, NoRowsLeaveTheHeading) {
  TextTable table({{"a", Kind::text}, {"b"}});
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.render(), "a  b\n");
}

TEST(ShortenMiddle, KeepsBothEnds) {
  EXPECT_EQ(shorten_middle("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shorten_middle("abcdefghijk", 10), "abcd..hijk");
  EXPECT_EQ(shorten_middle("abcdefghijk", 9), "abcd..ijk");
  // Characters, not bytes.
  EXPECT_EQ(shorten_middle("ÄÖÜäöüß", 7), "ÄÖÜäöüß");
  EXPECT_EQ(shorten_middle("ÄÖÜäöüßÄÖ", 6), "ÄÖ..ÄÖ");
}

}  // namespace
}  // namespace nettoll
