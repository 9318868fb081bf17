// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_set.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

using Ids = std::vector<uint32_t>;

TEST(CpuList, ParsesWhatTheKernelPrints) {
  const struct {
    const char* text;
    Ids ids;
  } cases[] = {
      {"", {}},
      {"\n", {}},
      {"0\n", {0}},
      {"0-3", {0, 1, 2, 3}},
      {"0,2-3,8", {0, 2, 3, 8}},
      {"8,0-1", {0, 1, 8}},
      {"0-6:2/4", {0, 1, 4, 5}},
      {"1-1", {1}},
      {"0-1,1-2", {0, 1, 2}},
  };
  for (const auto& c : cases) {
    const auto set = parse_cpu_list(c.text);
    ASSERT_TRUE(set) << c.text;
    EXPECT_EQ(set->ids, c.ids) << c.text;
  }
}

TEST(CpuList, RefusesNonsense) {
  for (const char* text : {"a", "1-", "-1", "3-1", "1,,2", "1,", "70000", "0-6:0/4", "0-6:2", "1 2", "0x1"}) {
    const auto set = parse_cpu_list(text);
    ASSERT_FALSE(set) << text;
    EXPECT_EQ(set.error().kind, ErrorKind::usage);
    EXPECT_NE(set.error().message.find(text), std::string::npos);
  }
}

TEST(CpuMask, ReadsCommaGroupsOfThirtyTwoBits) {
  EXPECT_EQ(parse_cpu_mask("00000000,00000000")->ids, Ids{});
  EXPECT_EQ(parse_cpu_mask("3\n")->ids, (Ids{0, 1}));
  EXPECT_EQ(parse_cpu_mask("00000001,80000000")->ids, (Ids{31, 32}));
  EXPECT_EQ(parse_cpu_mask("1,00000000,00000004")->ids, (Ids{2, 64}));
  for (const char* text : {"", "g", "1,,2", "123456789", "1,"}) EXPECT_FALSE(parse_cpu_mask(text)) << text;
}

TEST(CpuList, FormatsRanges) {
  for (const char* text : {"", "0", "0-3", "0,2-3,8"}) {
    EXPECT_EQ(format_cpu_list(*parse_cpu_list(text)), text);
  }
}

TEST(CpuSet, LimitIsOnePastTheLargestId) {
  EXPECT_EQ(CpuSet{}.limit(), 0u);
  EXPECT_EQ((CpuSet{{0, 7}}.limit()), 8u);
  EXPECT_TRUE((CpuSet{{0, 7}}.contains(7)));
  EXPECT_FALSE((CpuSet{{0, 7}}.contains(3)));
}

}  // namespace
}  // namespace nettoll
