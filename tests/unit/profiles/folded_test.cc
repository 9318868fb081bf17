// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/folded.h"

#include <gtest/gtest.h>

#include "fakes/string_sink.h"
#include "unit/profiles/small_profile.h"

namespace nettoll {
namespace {

std::string folded(const Joined& joined, uint32_t event, const FoldedOptions& options = {}) {
  StringSink sink;
  EXPECT_TRUE(write_folded(joined.stacks, event, options, sink));
  return sink.text;
}

TEST(Folded, WritesALineAStack) {
  const Joined joined(small_profile());
  EXPECT_EQ(folded(joined, 0),
            "</script><img src=x>\":,'?\xe2\x82\xac\xef\xbf\xbd 20\n"
            "net_rx_action 10\n"
            "net_rx_action;memcpy 30\n");
}

TEST(Folded, WeightsAddUpToTheTotal) {
  const Joined joined(small_profile());
  // 1001 in three equal parts, and 7 without a sample: 1008 in all.
  EXPECT_EQ(folded(joined, 1),
            "</script><img src=x>\":,'?\xe2\x82\xac\xef\xbf\xbd 334\n"
            "net_rx_action 333\n"
            "net_rx_action;memcpy 334\n"
            "[not sampled] 7\n");
  EXPECT_EQ(joined.cost.events[1].count, 1008);
}

TEST(Folded, MarksKernelFunctions) {
  ProfileBuilder builder({"cycles"}, 1);
  builder.sample(0, 0, {"a", kUnknownName, kUserName}, 1, 10);
  EXPECT_EQ(folded(Joined(std::move(builder.profile)), 0, {true}), "[user];[unknown];a_[k] 10\n");
}

TEST(Folded, TellsCodeWithoutANameByItsModule) {
  ProfileBuilder builder({"cycles"}, 1);
  sample_unnamed(builder.profile, "/opt/a;b", SymbolKind::user, 20);
  sample_unnamed(builder.profile, kVmlinux, SymbolKind::kernel, 40);
  EXPECT_EQ(folded(Joined(std::move(builder.profile)), 0, {true}), "[a:b] 20\n[vmlinux]_[k] 40\n");
}

TEST(Folded, ToldWhereTheDiskIsFull) {
  ProfileBuilder builder({"cycles"}, 1);
  for (int i = 0; i < 5000; ++i) builder.sample(0, 0, {std::string(60, 'x') + std::to_string(i)}, 1, 10);
  const Joined joined(std::move(builder.profile));
  FullSink sink(70 << 10);
  const auto status = write_folded(joined.stacks, 0, {}, sink);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ENOSPC);
  EXPECT_EQ(sink.calls, 2);  // nothing more is tried
}

}  // namespace
}  // namespace nettoll
