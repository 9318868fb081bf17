// SPDX-License-Identifier: Apache-2.0
#include "correlate/compared_names.h"

#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "correlate/diff.h"
#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

struct Code {
  const char* name;
  const char* module;
  SymbolKind kind;
  uint32_t samples;
};

constexpr auto kKernel = SymbolKind::kernel;
constexpr auto kUser = SymbolKind::user;

/// A capture whose samples are of one function each.
Profile capture(const std::vector<Code>& codes) {
  ProfileBuilder b({"cycles"}, 1);
  b.profile.foreign = Foreign{};
  for (const Code& code : codes) {
    b.profile.symbols.push_back({code.name, code.module, code.kind});
    const uint32_t frames[] = {static_cast<uint32_t>(b.profile.symbols.size() - 1)};
    b.profile.samples.push_back({0, 0, b.profile.stacks.add(frames), code.samples, code.samples});
  }
  return b.profile;
}

ComparedNames names(const std::vector<Code>& a, const std::vector<Code>& b) {
  return {correlate(capture(a)), correlate(capture(b))};
}

const Symbol kIpRcv{"ip_rcv", kVmlinux, kKernel};
const Symbol kChain{"nft_do_chain", "nf_tables", kKernel};
const Symbol kMain{"main", "/bin/x", kUser};

TEST(ComparedNames, AreEvenWhereBothNameAlike) {
  const std::vector<Code> some{{"ip_rcv", kVmlinux, kKernel, 900},
                               {kUnknownName, kVmlinux, kKernel, 50},
                               {kUnknownName, "/bin/stripped", kUser, 900}};
  const ComparedNames same = names(some, some);
  EXPECT_TRUE(same.kernel_compares());
  EXPECT_TRUE(same.uneven().empty());
  EXPECT_TRUE(same.compare(kIpRcv));
  EXPECT_NEAR(same.unnamed_a(), 950.0 / 1850, 1e-9);
  // Told, since much of it has no name, but compared.
  ASSERT_EQ(notes_on_names(same).size(), 1u);
  EXPECT_EQ(notes_on_names(same).front(),
            "51% of A's samples and 51% of B's are of code without a name: no function of it is compared");
  EXPECT_TRUE(notes_on_names(names({}, {})).empty());
}

TEST(ComparedNames, AreUnevenWhereOneLacksTheKernels) {
  const ComparedNames one =
      names({{"ip_rcv", kVmlinux, kKernel, 900}, {"nft_do_chain", "nf_tables", kKernel, 90}},
            {{kUnknownName, kVmlinux, kKernel, 1000}});
  EXPECT_FALSE(one.kernel_compares());
  EXPECT_FALSE(one.compare(kIpRcv));
  // Of which B has no sample: it may be among its code without a name.
  EXPECT_FALSE(one.compare(kChain));
  EXPECT_TRUE(one.compare(kMain));
  ASSERT_EQ(one.uneven().size(), 2u);
  EXPECT_EQ(one.uneven()[0], (UnevenNames{kVmlinux, 900, 1000, 0.0, 1.0}));
  EXPECT_EQ(one.uneven()[1], (UnevenNames{"nf_tables", 90, 0, 0.0, std::nullopt}));
  const auto notes = notes_on_names(one);
  ASSERT_EQ(notes.size(), 4u);
  EXPECT_EQ(
      notes[2],
      "functions of vmlinux are not compared: 0% of 900 samples have no name in A, 100% of 1000 samples "
      "have no name in B");
}

TEST(ComparedNames, AreEvenWhereWhatRanExplainsIt) {
  const auto program = [](uint32_t named, uint32_t unnamed) {
    return std::vector<Code>{{"main", "/bin/x", kUser, named}, {kUnknownName, "/bin/x", kUser, unnamed}};
  };
  EXPECT_TRUE(names(program(610, 390), program(500, 500)).compare(kMain));
  EXPECT_FALSE(names(program(700, 300), program(450, 550)).compare(kMain));
  // Few samples: chance.
  EXPECT_TRUE(names(program(7, 3), program(4, 6)).compare(kMain));
}

TEST(ComparedNames, OfOneModuleAloneLeaveTheRest) {
  // A file of symbols without those of modules.
  const ComparedNames modules =
      names({{"ip_rcv", kVmlinux, kKernel, 900}, {"nft_do_chain", "nf_tables", kKernel, 90}},
            {{"ip_rcv", kVmlinux, kKernel, 900}, {kUnknownName, "nf_tables", kKernel, 90}});
  EXPECT_TRUE(modules.kernel_compares());
  EXPECT_TRUE(modules.compare(kIpRcv));
  EXPECT_FALSE(modules.compare(kChain));
  // What only B has, where A has names, is new.
  const ComparedNames added =
      names({{"ip_rcv", kVmlinux, kKernel, 900}},
            {{"ip_rcv", kVmlinux, kKernel, 900}, {"nft_do_chain", "nf_tables", kKernel, 90}});
  EXPECT_TRUE(added.compare(kChain));
}

TEST(ComparedNames, OfAProgramMayBeAmongCodeOfNoModule) {
  const std::vector<Code> named{{"main", "/bin/x", kUser, 500}};
  EXPECT_FALSE(names(named, {{kUnknownName, "", kUser, 500}}).compare(kMain));
  EXPECT_FALSE(names(named, {{kUserName, "", kUser, 500}}).compare(kMain));
  EXPECT_TRUE(names(named, {{"work", "/bin/y", kUser, 500}}).compare(kMain));
  EXPECT_TRUE(names(named, {}).compare(kMain));
  // Files of one name are one, wherever they lie.
  EXPECT_FALSE(names(named, {{kUnknownName, "/opt/x", kUser, 500}}).compare(kMain));
  const std::vector<Code> recorded{{kUserName, "", kUser, 500}};
  EXPECT_TRUE(names(recorded, recorded).compare({kUserName, "", kUser}));
}

/// Forty functions of the receive path, named or not.
Profile loaded(bool named) {
  ProfileBuilder b({"cycles"}, 1);
  b.profile.foreign = Foreign{};
  if (!named) b.profile.symbols.push_back({kUnknownName, kVmlinux, kKernel});
  for (int i = 0; i < 40; ++i) {
    if (named) {
      b.sample(0, 0, {"f" + std::to_string(i), "net_rx_action"}, 400, 400);
      continue;
    }
    const uint32_t frames[] = {0};
    b.profile.samples.push_back({0, 0, b.profile.stacks.add(frames), 400, 400});
  }
  return b.profile;
}

TEST(DiffCosts, InventsNothingWhereOneSideLacksNames) {
  const Profile named = loaded(true);
  const Profile unnamed = loaded(false);
  const CostTable cost_named = correlate(named);
  const CostTable cost_unnamed = correlate(unnamed);
  const DiffInput a{named, cost_named, "a"};
  const DiffInput b{unnamed, cost_unnamed, "b"};
  for (const auto& [from, to] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const auto result = diff_costs(*from, *to, {{}, {}, {"f0"}});
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->paths_compare);
    EXPECT_EQ(result->not_compared, (std::vector<std::string>{"f0"}));
    EXPECT_EQ(result->uneven_names.size(), 1u);
    ASSERT_EQ(result->events.size(), 1u);
    EXPECT_TRUE(result->events[0].functions.empty());
    EXPECT_TRUE(result->events[0].paths.empty());
    EXPECT_FALSE(result->events[0].total.significant);
    for (const ModuleChange& row : result->events[0].modules) EXPECT_FALSE(row.self.significant);
    EXPECT_FALSE(diff_costs(*from, *to, {{}, {Path::rx}, {}}));
  }
  // Code without a name is never called changed, whatever it is on each side.
  const Profile less = capture({{"ip_rcv", kVmlinux, kKernel, 9000}, {kUnknownName, kVmlinux, kKernel, 100}});
  const Profile more = capture({{"ip_rcv", kVmlinux, kKernel, 9000}, {kUnknownName, kVmlinux, kKernel, 180}});
  const CostTable cost_less = correlate(less);
  const CostTable cost_more = correlate(more);
  const auto grown = diff_costs({less, cost_less, "a"}, {more, cost_more, "b"},
                                {DiffPer::second, {Path::other}, {kUnknownName}});
  ASSERT_TRUE(grown) << grown.error().text();
  for (const FunctionChange& row : grown->events[0].functions)
    EXPECT_FALSE(row.significant()) << row.symbol.name;
}

}  // namespace
}  // namespace nettoll
