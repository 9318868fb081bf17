// SPDX-License-Identifier: Apache-2.0
#include "symbolize/drop_code.h"

#include <gtest/gtest.h>

#include <string>

namespace nettoll {
namespace {

KernelSymbols parse(const std::string& text) {
  auto symbols = KernelSymbols::parse(text);
  if (!symbols) throw std::runtime_error(symbols.error().text());
  return std::move(*symbols);
}

TEST(DropCode, EndsWhereTheNextFunctionBegins) {
  const auto code =
      find_drop_code(parse("ffffffff81000000 T _text\n"
                           "ffffffff81000100 T kfree_skb_list_reason\n"
                           "ffffffff81000180 T skb_copy\n"
                           "ffffffff81000200 t dev_hard_start_xmit\n"
                           "ffffffff81000300 t tcp_drop_reason\n"
                           "ffffffff81000340 t udp_rcv\n"));
  EXPECT_EQ(code.helpers,
            (std::vector<CodeRange>{{"kfree_skb_list_reason", 0xffffffff81000100, 0xffffffff81000180},
                                    {"tcp_drop_reason", 0xffffffff81000300, 0xffffffff81000340}}));
  EXPECT_EQ(code.transmit,
            (std::vector<CodeRange>{{"dev_hard_start_xmit", 0xffffffff81000200, 0xffffffff81000300}}));
}

TEST(DropCode, TakesPartsAndAliasesOnce) {
  const auto code =
      find_drop_code(parse("ffffffff81000100 T kfree_skb\n"
                           "ffffffff81000100 T kfree_skb_reason\n"
                           "ffffffff81000140 t other\n"
                           "ffffffff81000200 t skb_release_data.constprop.0\n"
                           "ffffffff81000240 t skb_release_data.cold\n"
                           "ffffffff81000250 t other2\n"));
  ASSERT_EQ(code.helpers.size(), 3u);
  EXPECT_EQ(code.helpers[0].begin, 0xffffffff81000100);
  EXPECT_EQ(code.helpers[1].function, "skb_release_data");
  EXPECT_EQ(code.helpers[2].end, 0xffffffff81000250);
}

TEST(DropCode, LeavesModulesAndNamesakesAlone) {
  const auto code =
      find_drop_code(parse("ffffffff81000100 T kfree_skb_listed\n"
                           "ffffffff81000140 T net_tx_action\n"
                           "ffffffffc0000100 t kfree_skb_list\t[vendor]\n"
                           "ffffffffc0000140 t vendor_xmit\t[vendor]\n"));
  EXPECT_TRUE(code.helpers.empty());
  EXPECT_TRUE(code.transmit.empty());
}

TEST(DropCode, CutsWhatHasNoEnd) {
  const auto code = find_drop_code(parse("ffffffff81000000 T _text\nffffffff81000100 T consume_skb\n"));
  ASSERT_EQ(code.helpers.size(), 1u);
  EXPECT_LE(code.helpers[0].end - code.helpers[0].begin, 16384u);
  EXPECT_GT(code.helpers[0].end, code.helpers[0].begin);
}

}  // namespace
}  // namespace nettoll
