// SPDX-License-Identifier: Apache-2.0
#include "ingest/captured_build_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CapturedBuildIds, AreOfModulesAsSymbolsNameThem) {
  const std::vector<FileBuildId> files{{"[kernel.kallsyms]", "01"},
                                       {"/lib/modules/6.1.0/kernel/net/nf-nat.ko.xz", "02"},
                                       {"/usr/lib/libc.so.6", "03"},
                                       {"/usr/bin/not_sampled", "04"},
                                       {"[vdso]", "05"},
                                       {"/usr/bin/without", ""}};
  const std::vector<Symbol> symbols{{"ip_rcv", kVmlinux},
                                    {"f", "nf_nat"},
                                    {"malloc", "/usr/lib/libc.so.6", SymbolKind::user},
                                    {"free", "/usr/lib/libc.so.6", SymbolKind::user},
                                    {"main", "/usr/bin/without", SymbolKind::user},
                                    {"[vdso]", "[vdso]", SymbolKind::user}};
  EXPECT_THAT(captured_build_ids(files, symbols),
              ElementsAre(ModuleBuildId{"/usr/lib/libc.so.6", "03"}, ModuleBuildId{"[vdso]", "05"},
                          ModuleBuildId{"nf_nat", "02"}, ModuleBuildId{kVmlinux, "01"}));
}

TEST(CapturedBuildIds, OfAPathWithSeveralAreNotGuessed) {
  const std::vector<Symbol> symbols{{"main", "/bin/a", SymbolKind::user}, {"ip_rcv", kVmlinux}};
  EXPECT_THAT(captured_build_ids({{"/bin/a", "01"}, {"/bin/a", "02"}}, symbols), IsEmpty());
  // The head and a mapping may say the same.
  EXPECT_THAT(captured_build_ids({{"/bin/a", "01"}, {"/bin/a", "01"}}, symbols),
              ElementsAre(ModuleBuildId{"/bin/a", "01"}));
}

TEST(CapturedBuildIds, OfProgramsAreNotThoseOfModules) {
  EXPECT_THAT(captured_build_ids({{"/srv/veth.ko", "01"}}, {{"f", "veth", SymbolKind::user}}), IsEmpty());
  EXPECT_THAT(captured_build_ids({{"prog", "01"}}, {{"f", "prog", SymbolKind::bpf}}), IsEmpty());
}

}  // namespace
}  // namespace nettoll
