// SPDX-License-Identifier: Apache-2.0
#include "report/chains.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"
#include "model/symbol_identity.h"
#include "report/sample_weights.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A tree in one line: "a 30/3 (b 20/2, c 10/1)" is a with 30 events of 3 samples, 20 of them through b.
std::string tree_text(const Profile& profile, const std::vector<ChainNode>& nodes) {
  std::string text;
  for (const ChainNode& node : nodes) {
    text += (text.empty() ? "" : ", ") + profile.symbols[node.symbol].name + " " +
            std::to_string(static_cast<long>(node.cost.value)) + "/" + std::to_string(node.cost.samples);
    if (!node.children.empty()) text += " (" + tree_text(profile, node.children) + ")";
  }
  return text;
}

std::string tree(ProfileBuilder& b, const std::string& function, ChainScope scope, double least = 0,
                 uint32_t event = 0) {
  const CostTable cost = correlate(b.profile);
  const uint32_t symbol = b.symbol(function);
  std::vector<bool> wanted(b.profile.symbols.size());
  wanted[symbol] = true;
  const auto first = first_of_each_symbol(b.profile.symbols);
  const auto weights = sample_weights(b.profile, cost);
  Chains chains(b.profile, weights, first, event, wanted);
  return tree_text(b.profile, chains.of(symbol, scope, least));
}

/// main calls a and b, both call leaf; leaf is also a caller of tail.
ProfileBuilder program() {
  ProfileBuilder b({"cycles"}, 2);
  b.sample(0, 0, {"leaf", "a", "main"}, 3, 30);
  b.sample(0, 1, {"leaf", "a", "main"}, 1, 10);
  b.sample(0, 0, {"leaf", "b", "main"}, 2, 20);
  b.sample(0, 0, {"tail", "leaf", "a", "main"}, 5, 50);
  b.sample(0, 0, {"a", "main"}, 1, 7);
  return b;
}

TEST(Chains, OfTheFunctionAlone) {
  auto b = program();
  EXPECT_EQ(tree(b, "leaf", ChainScope::leaf_from_caller),
            "main 60/6 (a 40/4 (leaf 40/4), b 20/2 (leaf 20/2))");
  EXPECT_EQ(tree(b, "leaf", ChainScope::leaf_from_callee),
            "leaf 60/6 (a 40/4 (main 40/4), b 20/2 (main 20/2))");
}

TEST(Chains, CallersAreOfAllSamplesThatHoldIt) {
  auto b = program();
  EXPECT_EQ(tree(b, "leaf", ChainScope::callers), "leaf 110/11 (a 90/9 (main 90/9), b 20/2 (main 20/2))");
  EXPECT_EQ(tree(b, "main", ChainScope::callers), "main 117/12");
}

TEST(Chains, CalleesEndWhereTheSampleWas) {
  auto b = program();
  EXPECT_EQ(tree(b, "leaf", ChainScope::callees), "leaf 110/11 (tail 50/5)");
  EXPECT_EQ(tree(b, "a", ChainScope::callees), "a 97/10 (leaf 90/9 (tail 50/5))");
}

TEST(Chains, ChildrenShowWhereTheFunctionItselfWasCalled) {
  auto b = program();
  EXPECT_EQ(tree(b, "leaf", ChainScope::children),
            "main 60/6 (a 40/4 (leaf 40/4), b 20/2 (leaf 20/2)), leaf 50/5 (tail 50/5)");
  EXPECT_EQ(tree(b, "a", ChainScope::children), "a 90/9 (leaf 90/9 (tail 50/5)), main 7/1 (a 7/1)");
}

TEST(Chains, ARecursiveFunctionStandsOnceForASample) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"x", "f", "g", "f", "main"}, 1, 10);
  EXPECT_EQ(tree(b, "f", ChainScope::callees), "f 10/1 (g 10/1 (f 10/1 (x 10/1)))");
  EXPECT_EQ(tree(b, "f", ChainScope::callers), "f 10/1 (g 10/1 (f 10/1 (main 10/1)))");
}

TEST(Chains, ABranchBelowTheLimitGoesWithAllUnderIt) {
  auto b = program();
  EXPECT_EQ(tree(b, "leaf", ChainScope::callers, 20), "leaf 110/11 (a 90/9 (main 90/9), b 20/2 (main 20/2))");
  EXPECT_EQ(tree(b, "leaf", ChainScope::callers, 21), "leaf 110/11 (a 90/9 (main 90/9))");
  EXPECT_EQ(tree(b, "leaf", ChainScope::callers, 111), "");
}

TEST(Chains, TheLimitIsTheFloorOfItsPercent) {
  EXPECT_EQ(least_of(0.5, 1999), 9);
  EXPECT_EQ(least_of(0, 1999), 0);
}

TEST(Chains, SymbolsOfTheSameNameAreOne) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"leaf", "caller"}, 1, 10);
  // The same function once more, as captures have it where names are missing for several reasons.
  b.profile.symbols.push_back({"caller", kVmlinux, SymbolKind::kernel});
  const std::vector<uint32_t> frames{b.symbol("leaf"), static_cast<uint32_t>(b.profile.symbols.size() - 1)};
  b.profile.samples.push_back({0, 0, b.profile.stacks.add(frames), 1, 5});
  EXPECT_EQ(tree(b, "leaf", ChainScope::callers), "leaf 15/2 (caller 15/2)");
}

TEST(Chains, EachEventHasItsOwn) {
  ProfileBuilder b({"cycles", "instructions"}, 1);
  b.sample(0, 0, {"f", "a"}, 1, 10).sample(1, 0, {"f", "b"}, 2, 6);
  EXPECT_EQ(tree(b, "f", ChainScope::callers, 0, 0), "f 10/1 (a 10/1)");
  EXPECT_EQ(tree(b, "f", ChainScope::callers, 0, 1), "f 6/2 (b 6/2)");
}

TEST(Chains, CountsOfTheirCpuGiveSamplesTheirWeight) {
  ProfileBuilder b({"cycles"}, 2);
  b.sample(0, 0, {"f", "a"}, 1, 10).sample(0, 1, {"f", "a"}, 1, 10);
  b.count(0, 0, 40).count(0, 1, 100);
  EXPECT_EQ(tree(b, "f", ChainScope::callers), "f 140/2 (a 140/2)");
  EXPECT_THAT(sample_weights(b.profile, correlate(b.profile)), ElementsAre(40, 100));
}

TEST(Chains, DeepStacksEndAtTheBound) {
  ProfileBuilder b({"cycles"}, 1);
  const std::vector<uint32_t> frames(2 * Chains::kDeepest, b.symbol("f"));
  b.profile.samples.push_back({0, 0, b.profile.stacks.add(frames), 1, 1});
  const CostTable cost = correlate(b.profile);
  const auto first = first_of_each_symbol(b.profile.symbols);
  const auto weights = sample_weights(b.profile, cost);
  Chains chains(b.profile, weights, first, 0, {true});
  const auto roots = chains.of(0, ChainScope::callers, 0);
  uint32_t depth = 0;
  for (const auto* nodes = &roots; !nodes->empty(); nodes = &nodes->front().children) ++depth;
  EXPECT_EQ(depth, Chains::kDeepest);
}

TEST(Chains, AFunctionThatWasNotAskedForHasNone) {
  auto b = program();
  const auto first = first_of_each_symbol(b.profile.symbols);
  const auto weights = sample_weights(b.profile, correlate(b.profile));
  Chains chains(b.profile, weights, first, 0, std::vector<bool>(b.profile.symbols.size()));
  EXPECT_THAT(chains.of(b.symbol("leaf"), ChainScope::callers, 0), IsEmpty());
}

}  // namespace
}  // namespace nettoll
