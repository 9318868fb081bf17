// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/call_tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/profiles/small_profile.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;

/// "depth name self/total/samples", and "before self/total/samples" where that is not none.
std::vector<std::string> lines(const CallTree& tree) {
  std::vector<std::string> list;
  for (const CallNode& node : tree.nodes) {
    std::string line = fmt::format("{} {} {}/{}/{}", node.depth, tree.symbols[node.symbol].name,
                                   node.now.self, node.now.total, node.now.samples);
    if (node.before.total > 0)
      line += fmt::format(" before {}/{}/{}", node.before.self, node.before.total, node.before.samples);
    list.push_back(line);
  }
  return list;
}

NamedStacks costs_of(const std::vector<std::pair<std::vector<std::string>, uint64_t>>& stacks,
                     uint64_t unattributed = 0) {
  ProfileBuilder builder({"cycles"}, 2);
  for (const auto& [stack, period] : stacks) builder.sample(0, 0, stack, 1, period);
  if (unattributed > 0) builder.count(0, 1, unattributed);
  return named_stacks(builder.profile);
}

TEST(CallTree, SharesFramesOfStacks) {
  const auto tree = call_tree(
      costs_of({{{"a"}, 1}, {{"b", "a"}, 2}, {{"c", "b", "a"}, 4}, {{"b"}, 8}, {{"a", "a"}, 16}}, 5), 0);
  EXPECT_THAT(lines(tree), ElementsAre("0 a 1/23/4", "1 a 16/16/1", "1 b 2/6/2", "2 c 4/4/1", "0 b 8/8/1",
                                       "0 [not sampled] 5/5/0"));
  EXPECT_EQ(tree.now_total, 36);
  EXPECT_EQ(tree.nodes[3].parent, 2u);
  EXPECT_EQ(tree.nodes[4].parent, CallNode::kNoParent);
}

TEST(CallTree, LaysTwoProfilesOverEachOther) {
  const auto tree = call_tree(costs_of({{{"b", "a"}, 10}, {{"c", "a"}, 20}}), 0,
                              costs_of({{{"a"}, 3}, {{"b", "a"}, 5}, {{"old"}, 7}}, 2), 0);
  EXPECT_THAT(lines(tree), ElementsAre("0 a 0/30/2 before 3/8/2", "1 b 10/10/1 before 5/5/1", "1 c 20/20/1",
                                       "0 old 0/0/0 before 7/7/1", "0 [not sampled] 0/0/0 before 2/2/0"));
  EXPECT_EQ(tree.now_total, 30);
  EXPECT_EQ(tree.before_total, 17);
}

TEST(CallTree, PrunesTheSmallestAndSaysSo) {
  auto tree = call_tree(costs_of({{{"a"}, 1}, {{"b", "a"}, 2}, {{"c", "b", "a"}, 40}, {{"d", "a"}, 5}}), 0);
  prune(tree, 3);
  EXPECT_THAT(lines(tree), ElementsAre("0 a 1/48/4", "1 b 2/42/2", "2 c 40/40/1"));
  EXPECT_EQ(tree.pruned, 1u);
  EXPECT_EQ(tree.pruned_self, 5);
}

TEST(CallTree, PruningKeepsCallersAlsoWhereAllAreAsLarge) {
  // A chain of equal frames, and others of the same size: any three that stay must hang together.
  auto tree = call_tree(costs_of({{{"d", "c", "b", "a"}, 5}, {{"e"}, 5}, {{"f"}, 5}}), 0);
  prune(tree, 3);
  EXPECT_THAT(lines(tree), ElementsAre("0 a 0/5/1", "1 b 0/5/1", "2 c 0/5/1"));
  EXPECT_EQ(tree.nodes[2].parent, 1u);
  EXPECT_EQ(tree.pruned, 3u);
  EXPECT_EQ(tree.pruned_self, 15);
}

TEST(CallTree, WhatFitsIsNotPruned) {
  auto tree = call_tree(costs_of({{{"a"}, 1}}), 0);
  prune(tree, 1);
  EXPECT_EQ(tree.nodes.size(), 1u);
  EXPECT_EQ(tree.pruned, 0u);
}

TEST(CallTree, PruningLeavesNoSymbolWithoutAFrame) {
  ProfileBuilder builder({"cycles", "faults"}, 1);
  builder.sample(0, 0, {"c", "b"}, 1, 10).sample(1, 0, {"a"}, 1, 10).sample(0, 0, {"d"}, 1, 1);
  auto tree = call_tree(named_stacks(builder.profile), 0);
  prune(tree, 2);
  EXPECT_THAT(tree.symbols, ElementsAre(Symbol{"b", kVmlinux}, Symbol{"c", kVmlinux}));
  EXPECT_EQ(tree.begins.size(), 2u);
  EXPECT_THAT(lines(tree), ElementsAre("0 b 0/10/1", "1 c 10/10/1"));
}

TEST(CallTree, NothingSampledIsAnEmptyTree) {
  EXPECT_TRUE(call_tree(costs_of({}), 0).nodes.empty());
}

}  // namespace
}  // namespace nettoll
