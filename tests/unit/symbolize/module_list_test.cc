// SPDX-License-Identifier: Apache-2.0
#include "symbolize/module_list.h"

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

}  // namespace
}  // namespace nettoll
