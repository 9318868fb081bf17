// SPDX-License-Identifier: Apache-2.0
#include "host/proc_softnet.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

std::string row(int columns, std::initializer_list<std::pair<int, const char*>> set) {
  std::string text;
  for (int i = 0; i < columns; ++i) {
    const char* word = "00000000";
    for (const auto& [column, value] : set) word = column == i ? value : word;
    text += (i ? " " : "") + std::string(word);
  }
  return text + "\n";
}

TEST(ProcSoftnet, NineColumnsTakeTheirPlaceAmongOnlineCpus) {
  const auto rows =
      parse_softnet(row(9, {{0, "000bb344"}, {1, "00000471"}}) + row(9, {{0, "000bc76f"}, {2, "0000000a"}}),
                    CpuSet{{2, 7}});
  ASSERT_TRUE(rows) << rows.error().text();
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ(rows->at(2).processed, 0xbb344u);
  EXPECT_EQ(rows->at(2).dropped, 0x471u);
  EXPECT_EQ(rows->at(7).time_squeeze, 10u);
  EXPECT_FALSE(rows->at(2).received_rps);
  EXPECT_FALSE(rows->at(2).flow_limit);
  EXPECT_FALSE(rows->at(2).backlog_length);
}

TEST(ProcSoftnet, ColumnsComeOneByOne) {
  const struct {
    int columns;
    bool rps, flow_limit, backlog;
  } cases[] = {{9, false, false, false}, {10, true, false, false}, {11, true, true, false},
               {12, true, true, true},   {13, true, true, true},   {15, true, true, true}};
  for (const auto& c : cases) {
    const auto rows =
        parse_softnet(row(c.columns, {{9, "00000011"}, {10, "00000022"}, {11, "00000033"}}), CpuSet{{0}});
    ASSERT_TRUE(rows) << c.columns;
    const Softnet& only = rows->at(0);
    EXPECT_EQ(only.received_rps, c.rps ? std::optional<uint64_t>(0x11) : std::nullopt) << c.columns;
    EXPECT_EQ(only.flow_limit, c.flow_limit ? std::optional<uint64_t>(0x22) : std::nullopt) << c.columns;
    EXPECT_EQ(only.backlog_length, c.backlog ? std::optional<uint32_t>(0x33) : std::nullopt) << c.columns;
  }
}

TEST(ProcSoftnet, TheThirteenthColumnNamesTheCpu) {
  const auto rows = parse_softnet(row(13, {{0, "00000001"}, {12, "00000004"}}) + row(13, {{12, "00000000"}}),
                                  CpuSet{{0, 1, 2}});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->at(4).processed, 1u);
  EXPECT_TRUE(rows->contains(0));
  EXPECT_FALSE(rows->contains(1));
}

TEST(ProcSoftnet, Refuses) {
  const struct {
    std::string text;
    const char* why;
  } cases[] = {
      {"", "no rows"},
      {row(8, {}), "8 columns"},
      {row(9, {{3, "xyz"}}), "'xyz'"},
      {row(9, {{0, "100000000"}}), "'100000000'"},
      {row(9, {{0, "-1"}}), "'-1'"},
      {row(9, {}), "2 online CPUs"},
      {row(9, {}) + row(9, {}) + row(9, {}), "2 online CPUs"},
      {row(13, {}) + row(13, {}), "two rows are of CPU 0"},
  };
  for (const auto& c : cases) {
    const auto rows = parse_softnet(c.text, CpuSet{{0, 1}});
    ASSERT_FALSE(rows) << c.text;
    EXPECT_NE(rows.error().message.find(c.why), std::string::npos) << rows.error().message;
  }
}

}  // namespace
}  // namespace nettoll
