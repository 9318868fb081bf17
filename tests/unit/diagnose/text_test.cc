// SPDX-License-Identifier: Apache-2.0
#include "diagnose/text.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(CpuMask, GroupsOf32Bits) {
  EXPECT_EQ(format_cpu_mask({}), "0");
  EXPECT_EQ(format_cpu_mask({{0}}), "1");
  EXPECT_EQ(format_cpu_mask({{1, 2, 3}}), "e");
  EXPECT_EQ(format_cpu_mask({{31}}), "80000000");
  EXPECT_EQ(format_cpu_mask({{32}}), "1,00000000");
  EXPECT_EQ(format_cpu_mask({{0, 64}}), "1,00000000,00000001");
}

TEST(CpuMask, ReadsBackAsItself) {
  const CpuSet set{{0, 5, 31, 32, 63, 95}};
  EXPECT_EQ(*parse_cpu_mask(format_cpu_mask(set)), set);
}

TEST(CpuListText, SortsAndMerges) {
  EXPECT_EQ(cpu_list({3, 1, 2, 2, 7}), "1-3,7");
}

TEST(Join, Words) {
  EXPECT_EQ(join(std::vector<std::string>{}), "");
  EXPECT_EQ(join(std::vector<std::string>{"a"}), "a");
  EXPECT_EQ(join(std::vector<std::string>{"a", "b", "c"}), "a, b and c");
}

TEST(LossSeverity, RateOrPart) {
  const struct {
    double lost, of, seconds;
    Severity severity;
  } cases[] = {
      {9, 0, 10, Severity::note},          {10, 0, 10, Severity::warning},
      {999, 0, 10, Severity::warning},     {1000, 0, 10, Severity::critical},
      {1, 10'001, 100, Severity::note},    {1, 10'000, 100, Severity::warning},
      {1, 1'000, 100, Severity::critical}, {5, 0, 0, Severity::note},
  };
  for (const auto& c : cases)
    EXPECT_EQ(loss_severity(c.lost, c.of, c.seconds), c.severity) << c.lost << '/' << c.of;
}

}  // namespace
}  // namespace nettoll
