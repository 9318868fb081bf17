// SPDX-License-Identifier: Apache-2.0
#include "cli/perf_data_host.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> texts(const std::vector<PerfDataCode>& list) {
  std::vector<std::string> texts;
  for (const PerfDataCode& code : list)
    texts.push_back(fmt::format("{} {:x} {:x}", code.name, code.start, code.size));
  return texts;
}

KernelSymbols symbols(const std::string& text) {
  auto parsed = KernelSymbols::parse(text);
  EXPECT_TRUE(parsed);
  return std::move(*parsed);
}

TEST(PerfDataHost, FindsTheKernelsText) {
  const auto text =
      kernel_text(symbols("ffffffff81000000 T _text\n"
                          "ffffffff81000100 T ip_rcv\n"
                          "ffffffff81dfff00 T last\n"));
  EXPECT_EQ(text.name, "_text");
  EXPECT_EQ(text.start, 0xffffffff81000000);
  EXPECT_EQ(text.size, 0xe00000u);
  EXPECT_EQ(kernel_text(symbols("ffffffff81000100 T ip_rcv\n")).size, 0u);
}

TEST(PerfDataHost, ListsBpfCode) {
  EXPECT_THAT(texts(bpf_code(symbols("ffffffff81000000 T _text\n"
                                     "ffffffffc0000000 t bpf_prog_a\t[bpf]\n"
                                     "ffffffffc0000100 t bpf_prog_b\t[bpf]\n"
                                     "ffffffffc0000180 t veth_xmit\t[veth]\n"
                                     "ffffffffc0001f00 t bpf_prog_c\t[bpf]\n"))),
              ElementsAre("bpf_prog_a ffffffffc0000000 100", "bpf_prog_b ffffffffc0000100 80",
                          "bpf_prog_c ffffffffc0001f00 100"));
}

TEST(PerfDataHost, ListsModules) {
  EXPECT_THAT(texts(modules_in("veth 40960 0 - Live 0xffffffffc0100000\n"
                               "nf_nat 61440 2 nft_chain_nat,nft_nat, Live 0xffffffffc0200000 (E)\n"
                               "hidden 4096 0 - Live 0x0000000000000000\n"
                               "short 1\n"
                               "\n"
                               "last 8192 1 - Live 0xffffffffc0300000")),
              ElementsAre("veth ffffffffc0100000 a000", "nf_nat ffffffffc0200000 f000",
                          "last ffffffffc0300000 2000"));
  EXPECT_THAT(modules_in(""), IsEmpty());
}

TEST(PerfDataHost, TellsTheCommandLineAsTyped) {
  using namespace std::string_view_literals;
  EXPECT_THAT(arguments_in("nettoll\0record\0-F\0999\0--\0sleep\0\0"sv),
              ElementsAre("nettoll", "record", "-F", "999", "--", "sleep", ""));
  EXPECT_THAT(arguments_in(""), IsEmpty());
  EXPECT_THAT(arguments_in("cut"), ElementsAre("cut"));
}

}  // namespace
}  // namespace nettoll
