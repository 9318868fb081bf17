// SPDX-License-Identifier: Apache-2.0
#include "symbolize/module_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(ModuleFingerprint, ChangesWithModulesAndNotWithTheirUse) {
  const std::string now = module_fingerprint(
      "nf_tables 368640 12 nft_chain_nat,nft_ct, Live 0xffffffffc0a00000\n"
      "veth 45056 0 - Live 0xffffffffc0900000 (OE)\n");
  const struct {
    const char* text;
    bool same;
  } cases[] = {
      {"nf_tables 368640 99 nft_ct, Live 0xffffffffc0a00000\nveth 45056 3 - Live 0xffffffffc0900000 (OE)\n",
       true},
      {"nf_tables 368640 12 nft_ct, Live 0xffffffffc0a00000\n", false},
      {"nf_tables 368640 12 - Live 0xffffffffc0b00000\nveth 45056 0 - Live 0xffffffffc0900000 (OE)\n", false},
      {"nf_tables 368640 12 - Live 0xffffffffc0a00000\nveth 45056 0 - Unloading 0xffffffffc0900000 (OE)\n",
       false},
      {"nf_tables 368640 12 - Live 0xffffffffc0a00000\nvetx 45056 0 - Live 0xffffffffc0900000 (OE)\n", false},
      {"", false},
  };
  for (const auto& c : cases) EXPECT_EQ(module_fingerprint(c.text) == now, c.same) << c.text;
  EXPECT_EQ(module_fingerprint(""), "");
  EXPECT_NE(module_fingerprint("cut"), "");
}

TEST(ArrivedModules, AreThoseThatCameOrCameBack) {
  constexpr std::string_view kModules =
      "nf_tables 368640 12 - Live 0xffffffffc0a00000\n"
      "veth 45056 0 - Live 0xffffffffc0900000 (OE)\n"
      "dummy 16384 0 - Live 0xffffffffc0800000\n";
  const auto before = module_fingerprint(kModules, [](std::string_view name) { return name.size(); });
  EXPECT_THAT(arrived_modules(before, before), testing::IsEmpty());
  const auto after = module_fingerprint(
      "veth 45056 0 - Live 0xffffffffc0900000 (OE)\n"
      "dummy 16384 0 - Live 0xffffffffc0800000\n"
      "tun 16384 0 - Live 0xffffffffc0700000\n",
      [](std::string_view name) { return name == "dummy" ? 7 : name.size(); });
  EXPECT_NE(after, before);
  EXPECT_THAT(arrived_modules(before, after), testing::ElementsAre("dummy", "tun"));
  const auto unknown = module_fingerprint(kModules, [](std::string_view) { return 0; });
  EXPECT_THAT(arrived_modules(before, unknown), testing::IsEmpty());
  EXPECT_THAT(arrived_modules(unknown, before), testing::IsEmpty());
  EXPECT_THAT(arrived_modules("", after), testing::ElementsAre("veth", "dummy", "tun"));
  EXPECT_THAT(arrived_modules(before, ""), testing::IsEmpty());
}

}  // namespace
}  // namespace nettoll
