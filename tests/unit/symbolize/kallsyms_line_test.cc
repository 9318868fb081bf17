// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kallsyms_line.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(KallsymsLine, IsTakenApart) {
  const auto line = parse_kallsyms_line("ffffffffc0201000 t nft_do_chain\t[nf_tables]");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->address, 0xffffffffc0201000u);
  EXPECT_EQ(line->type, 't');
  EXPECT_EQ(line->name, "nft_do_chain");
  EXPECT_EQ(line->module, "nf_tables");

  const auto kernel = parse_kallsyms_line("81000000 T _text");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->address, 0x81000000u);
  EXPECT_EQ(kernel->module, "");
  // The kernel pads with a tab; copies may hold spaces.
  EXPECT_EQ(parse_kallsyms_line("10 t f  [m]")->module, "m");
  EXPECT_EQ(parse_kallsyms_line("10 t f ")->module, "");
}

TEST(KallsymsLine, RefusesGarbage) {
  for (const char* text :
       {"", "--", "ffffffff81000000", "ffffffff81000000 ", "ffffffff81000000 T", "ffffffff81000000 T ",
        "ffffffff81000000 TT x", "ffffffff81000000 1 x", "xyz T name", "-10 T name",
        "123456789abcdef01 T name", "10 t f [m", "10 t f m]", "10 t f []", "10 t f junk", "10\tt\tf"})
    EXPECT_FALSE(parse_kallsyms_line(text)) << text;
}

TEST(KallsymsLine, SaysWhatItIsGoodFor) {
  const struct {
    char type;
    const char* name;
    LineUse use;
  } cases[] = {
      {'t', "f", LineUse::function},      {'T', "f", LineUse::function},
      {'w', "f", LineUse::function},      {'W', "f", LineUse::function},
      {'t', "__pfx_f", LineUse::padding}, {'t', "__cfi_f", LineUse::padding},
      {'T', "__pfx_f", LineUse::padding}, {'t', "$x", LineUse::none},
      {'r', "$d", LineUse::none},         {'d', "f", LineUse::bound},
      {'D', "f", LineUse::bound},         {'b', "f", LineUse::bound},
      {'R', "f", LineUse::bound},         {'V', "f", LineUse::bound},
      {'A', "f", LineUse::none},          {'a', "f", LineUse::none},
  };
  for (const auto& c : cases)
    EXPECT_EQ(use_of({0x1000, c.type, c.name, ""}), c.use) << c.type << " " << c.name;
}

}  // namespace
}  // namespace nettoll
