// SPDX-License-Identifier: Apache-2.0
#include "collect/traceable_functions.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace nettoll {
namespace {

namespace fs = std::filesystem;

class TraceableFunctionsTest : public testing::Test {
 protected:
  TraceableFunctionsTest() : root_(fs::path(testing::TempDir()) / "traceable") {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~TraceableFunctionsTest() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  TraceableFunctions load() { return TraceableFunctions::load(KernelFs(root_.string())); }

  fs::path root_;
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
