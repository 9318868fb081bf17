// SPDX-License-Identifier: Apache-2.0
#include "symbolize/host_build_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A GNU build id's note: sizes of name and id, type 3, "GNU", the id, padded (elf(5), Nhdr).
std::string note(const std::string& id) {
  std::string text{4, 0, 0, 0, static_cast<char>(id.size()), 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};
  return text + id + std::string((4 - id.size() % 4) % 4, '\0');
}

TEST(HostBuildIds, AreOfTheKernelAndTheModulesThatSymbolsAreOf) {
  const FakeRoot root;
  root.write("/sys/kernel/notes", note("\x01\x02\xff\x0a"));
  root.write("/sys/module/nf_nat/notes/.note.gnu.build-id", note("\xab\xcd"));
  root.write("/sys/module/veth/notes/.note.gnu.build-id", note("\xee\xee"));
  root.write("/sys/module/broken/notes/.note.gnu.build-id", "short");
  const std::vector<Symbol> symbols{{"f", "nf_nat"},
                                    {"ip_rcv", kVmlinux},
                                    {"g", "nf_nat"},
                                    {"gone", "unloaded"},
                                    {"h", "broken"},
                                    {"veth", "veth", SymbolKind::user},
                                    {kUnknownName, "", SymbolKind::unknown}};
  EXPECT_THAT(host_build_ids(symbols, KernelFs(root.path())),
              ElementsAre(ModuleBuildId{"nf_nat", "abcd"}, ModuleBuildId{kVmlinux, "0102ff0a"}));
}

TEST(HostBuildIds, AreNoneWhereTheKernelTellsNone) {
  const FakeRoot root;
  EXPECT_THAT(host_build_ids({{"ip_rcv", kVmlinux}}, KernelFs(root.path())), IsEmpty());
}

}  // namespace
}  // namespace nettoll
