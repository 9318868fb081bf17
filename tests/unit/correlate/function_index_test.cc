// SPDX-License-Identifier: Apache-2.0
#include "correlate/function_index.h"

#include <gtest/gtest.h>

#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

TEST(FirstOfEachSymbol, NameAndModuleAreTheIdentity) {
  const std::vector<Symbol> symbols{{"a", kVmlinux}, {"a", "nf"}, {"a", kVmlinux}, {"b", "nf"}, {"a", "nf"}};
  EXPECT_EQ(first_of_each_symbol(symbols), (std::vector<uint32_t>{0, 1, 0, 3, 1}));
}

TEST(CallsByFunction, SumsCpusMissedRunsAndRows) {
  ProfileBuilder b({"cycles"}, 2);
  b.counted("a", 0);
  b.counted("b", 0);
  b.counted("c", 0);
  b.profile.calls = {{0, {1, 2}, 4}, {2, {10, 0}, 0}, {2, {0, 5}, 0}};
  const auto calls = calls_by_function(b.profile);
  ASSERT_EQ(calls.size(), 2u);  // b was not measured
  EXPECT_EQ(calls[0].function, 0u);
  EXPECT_EQ(calls[0].calls, 7u);
  EXPECT_EQ(calls[1].function, 2u);
  EXPECT_EQ(calls[1].calls, 15u);
}

TEST(SymbolsOfFunctions, AProxyFindsTheRenamedFunctionWhereThereIsOne) {
  const struct {
    const char* what;
    Method method;
    std::vector<std::string> symbols;
    std::optional<uint32_t> found;
  } cases[] = {
      {"exact", Method::tracepoint, {"other", "core", "core.constprop.0"}, 1},
      {"renamed", Method::tracepoint, {"other", "core.constprop.0"}, 1},
      {"renamed twice", Method::tracepoint, {"core.isra.0.constprop.1"}, 0},
      {"two clones", Method::tracepoint, {"core.constprop.0", "core.constprop.1"}, {}},
      {"a part", Method::tracepoint, {"core.part.0", "core.cold", "core.constprop.0.cold"}, {}},
      {"a hook counts one symbol", Method::fentry, {"core.constprop.0"}, {}},
      {"nothing", Method::tracepoint, {"other"}, {}},
  };
  for (const auto& c : cases) {
    ProfileBuilder b({"cycles"}, 1);
    b.counted("core", 1, c.method);
    for (const auto& name : c.symbols) b.symbol(name);
    const auto found = symbols_of_functions(b.profile, first_of_each_symbol(b.profile.symbols));
    EXPECT_EQ(found.at(0), c.found) << c.what;
  }
}

}  // namespace
}  // namespace nettoll
