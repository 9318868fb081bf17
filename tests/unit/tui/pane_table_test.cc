// SPDX-License-Identifier: Apache-2.0
#include "tui/pane_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll::tui {
namespace {

using ::testing::ElementsAre;

PaneTable table() {
  PaneTable table;
  table.columns = {{.title = "name", .kind = ColumnKind::name, .width = 6, .most = 10},
                   {.title = "cost", .width = 5},
                   {.title = "module", .kind = ColumnKind::name, .width = 6},
                   {.title = "calls", .width = 5}};
  table.sort = "cost";
  table.empty = "nothing here";
  const auto add = [&](const char* name, Value cost, const char* module, Value calls) {
    table.rows.push_back({name, {{name, NAN}, std::move(cost), {module, NAN}, std::move(calls)}});
  };
  add("ip_rcv", {"20", 20}, "vmlinux", {"1", 1});
  add("udp_rcv", {"-", NAN}, "vmlinux", {"3", 3});
  add("veth_xmit", {"30", 30}, "veth", {"-", NAN});
  return table;
}

std::vector<std::string> names(const PaneTable& table) {
  std::vector<std::string> all;
  for (const auto& row : table.rows) all.push_back(row.key);
  return all;
}

std::vector<std::string> arranged(const PaneView& view) {
  PaneTable sorted = table();
  arrange(sorted, view);
  return names(sorted);
}

std::vector<std::string> lines(const PaneTable& table, const PaneView& view, Size size) {
  Frame frame(size);
  draw(table, view, frame, 0, size.rows - 1);
  std::vector<std::string> all;
  for (int row = 0; row < size.rows; ++row) all.push_back(frame.text(row));
  return all;
}

TEST(PaneTable, SortsNumbersFromTheLargestAndWhatIsMissingLast) {
  EXPECT_THAT(arranged({}), ElementsAre("veth_xmit", "ip_rcv", "udp_rcv"));
  EXPECT_THAT(arranged({.reverse = true}), ElementsAre("ip_rcv", "veth_xmit", "udp_rcv"));
  EXPECT_THAT(arranged({.sort = "name"}), ElementsAre("ip_rcv", "udp_rcv", "veth_xmit"));
  EXPECT_THAT(arranged({.sort = "name", .reverse = true}), ElementsAre("veth_xmit", "udp_rcv", "ip_rcv"));
  EXPECT_THAT(arranged({.sort = "calls"}), ElementsAre("udp_rcv", "ip_rcv", "veth_xmit"));
  EXPECT_THAT(arranged({.sort = "gone with its event"}), ElementsAre("veth_xmit", "ip_rcv", "udp_rcv"));
}

TEST(PaneTable, KeepsGroupsApart) {
  PaneTable grouped = table();
  grouped.rows[2].group = 1;
  arrange(grouped, {});
  EXPECT_THAT(names(grouped), ElementsAre("ip_rcv", "udp_rcv", "veth_xmit"));
}

TEST(PaneTable, FiltersByTextsAndNotByNumbers) {
  EXPECT_THAT(arranged({.filter = "RCV"}), ElementsAre("ip_rcv", "udp_rcv"));
  EXPECT_THAT(arranged({.filter = "veth"}), ElementsAre("veth_xmit"));
  EXPECT_THAT(arranged({.filter = "20"}), ElementsAre());
}

TEST(PaneTable, AWindowFollowsTheCursor) {
  struct Case {
    size_t rows, selected, top, page, first, last, cursor;
  };
  for (const Case& c :
       {Case{30, 0, 0, 10, 0, 10, 0}, Case{30, 15, 10, 10, 10, 20, 15}, Case{30, 15, 0, 10, 6, 16, 15},
        Case{30, 3, 8, 10, 3, 13, 3}, Case{5, 20, 18, 10, 0, 5, 4}, Case{30, 29, 29, 10, 20, 30, 29},
        Case{0, 3, 3, 10, 0, 0, 0}, Case{3, 0, 0, 0, 0, 1, 0}}) {
    const PageRows shown = page_rows(c.rows, {.selected = c.selected, .top = c.top}, c.page);
    EXPECT_EQ(std::tuple(shown.first, shown.last, shown.selected), std::tuple(c.first, c.last, c.cursor))
        << c.rows << " " << c.selected << " " << c.top;
  }
}

TEST(PaneTable, ColumnsThatDoNotFitAreLeftOut) {
  PaneTable sorted = table();
  arrange(sorted, {});
  EXPECT_THAT(lines(sorted, {}, {4, 40}),
              ElementsAre("name       cost module calls", "veth_xmit    30 veth       -",
                          "ip_rcv       20 vml…ux     1", "udp_rcv       - vml…ux     3"));
  EXPECT_THAT(lines(sorted, {}, {2, 20}), ElementsAre("name     cost module", "vet…mit    30 veth"));
  EXPECT_THAT(lines(sorted, {}, {2, 6}), ElementsAre("name", "vet…it"));
}

TEST(PaneTable, TheColumnThatSortsIsNotLeftOut) {
  PaneTable sorted = table();
  arrange(sorted, {.sort = "calls"});
  EXPECT_THAT(lines(sorted, {.sort = "calls"}, {2, 14}), ElementsAre("name     calls", "udp_rcv      3"));
}

TEST(PaneTable, SaysWhyItIsEmpty) {
  PaneTable empty = table();
  empty.rows.clear();
  EXPECT_THAT(lines(empty, {}, {2, 40}), ElementsAre("name    cost module calls", "nothing here"));
  EXPECT_THAT(lines(empty, {.filter = "x"}, {2, 40}),
              ElementsAre("name    cost module calls", "nothing matches the filter"));
}

TEST(PaneTable, TheCursorIsARow) {
  PaneTable sorted = table();
  arrange(sorted, {});
  Frame frame({4, 40});
  draw(sorted, {.selected = 1}, frame, 0, 3);
  EXPECT_EQ(frame.at(2, 0).style, Style::selected);
  EXPECT_EQ(frame.at(2, 39).style, Style::selected);
  EXPECT_EQ(frame.at(1, 0).style, Style::normal);
  EXPECT_EQ(frame.at(0, 0).style, Style::heading);
  draw(sorted, {.selected = 1}, frame, 0, 3, false);
  EXPECT_EQ(frame.at(2, 0).style, Style::normal);
}

}  // namespace
}  // namespace nettoll::tui
