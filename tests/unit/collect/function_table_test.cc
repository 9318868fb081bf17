// SPDX-License-Identifier: Apache-2.0
#include "collect/function_table.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace nettoll {
namespace {

TEST(FunctionTable, IsLargeAndNamesNothingTwice) {
  std::set<std::string_view> seen;
  for (const TableEntry& entry : function_table()) {
    ASSERT_FALSE(entry.names.empty());
    for (const auto name : entry.names) EXPECT_TRUE(seen.insert(name).second) << name;
  }
  EXPECT_GE(function_table().size(), 60u);
}

TEST(FunctionTable, AProxyThatDividesNoCostSaysWhy) {
  for (const TableEntry& entry : function_table()) {
    const Proxy& proxy = entry.proxy;
    if (!proxy.tracepoint.empty() && !proxy.denominator) {
      EXPECT_FALSE(proxy.condition.empty()) << entry.names.front();
    }
  }
}

TEST(FunctionTable, HasAllPartsOfThePath) {
  std::map<Area, int> areas;
  for (const TableEntry& entry : function_table()) ++areas[entry.area];
  for (const Area area : {Area::receive, Area::transmit, Area::socket, Area::drop, Area::memory, Area::timer})
    EXPECT_GT(areas[area], 0);
}

}  // namespace
}  // namespace nettoll
