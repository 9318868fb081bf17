// SPDX-License-Identifier: Apache-2.0
#include "collect/traceable_functions.h"

#include <gtest/gtest.h>

#include <string>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

class TraceableFunctionsTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { root_.write("/" + name, text); }
  TraceableFunctions load() const { return TraceableFunctions::load(KernelFs(root_.path())); }

  FakeRoot root_;
};

TEST_F(TraceableFunctionsTest, KnowsFunctionsOfTheKernelAndOfModules) {
  write("sys/kernel/tracing/available_filter_functions", "ip_rcv\nveth_xmit [veth]\nlast");
  const auto functions = load();
  EXPECT_TRUE(functions.may_have("ip_rcv"));
  EXPECT_TRUE(functions.may_have("veth_xmit"));
  EXPECT_FALSE(functions.may_have("ip_rc"));
  EXPECT_FALSE(functions.may_have("[veth]"));
}

TEST_F(TraceableFunctionsTest, ReadsListsOfAnySize) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "function_number_" + std::to_string(i) + "\n";  // several pieces
  write("sys/kernel/debug/tracing/available_filter_functions", text);
  const auto functions = load();
  for (int i = 0; i < 20'000; ++i) ASSERT_TRUE(functions.may_have("function_number_" + std::to_string(i)));
  EXPECT_FALSE(functions.may_have("function_number_"));
}

TEST_F(TraceableFunctionsTest, WithoutAListEveryFunctionMayBeTraceable) {
  EXPECT_TRUE(load().may_have("ip_rcv"));
  write("sys/kernel/tracing/available_filter_functions", "");
  EXPECT_TRUE(load().may_have("ip_rcv"));
}

}  // namespace
}  // namespace nettoll
