// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kernel_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kHere = 0xffffffff81000000;
constexpr uint64_t kThere = 0xffffffff9a000000;

TEST(KernelMatch, Table) {
  struct Case {
    const char* what;
    KernelIdentity capture, symbols;
    SymbolOrigin origin;
    bool use, modules;
    uint64_t shift;
    const char* note;
  };
  using enum SymbolOrigin;
  const Case cases[] = {
      {"same build and boot", {"ab", "6.1", kHere}, {"ab", "6.1", kHere}, host, true, true, 0, ""},
      {"same build, another boot",
       {"ab", "6.1", kThere},
       {"ab", "6.1", kHere},
       host,
       true,
       false,
       kThere - kHere,
       "another boot"},
      {"another build",
       {"ab", "6.1", kHere},
       {"cd", "6.1", kHere},
       host,
       false,
       false,
       0,
       "another kernel build"},
      {"release alone",
       {"", "6.1", kHere},
       {"cd", "6.1", kHere},
       host,
       true,
       true,
       0,
       "no build id to be sure"},
      {"another release",
       {"", "5.10", kHere},
       {"cd", "6.1", kHere},
       host,
       false,
       false,
       0,
       "kernel 5.10, this host runs 6.1"},
      {"nothing known",
       {"", "", {}},
       {"cd", "6.1", kHere},
       host,
       false,
       false,
       0,
       "does not say which kernel"},
      {"no place",
       {"ab", "6.1", {}},
       {"ab", "6.1", kHere},
       host,
       false,
       false,
       0,
       "does not say where its kernel was"},
      {"a given file", {"ab", "6.1", kHere}, {"", "", kHere}, given, true, true, 0, ""},
      {"a given file of another boot",
       {"ab", "6.1", kThere},
       {"", "", kHere},
       given,
       true,
       false,
       kThere - kHere,
       "another boot"},
      {"a given file without the symbol", {"ab", "6.1", kThere}, {"", "", {}}, given, true, true, 0, ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const KernelMatch match = match_kernel(c.capture, c.symbols, c.origin);
    EXPECT_EQ(match.use, c.use);
    EXPECT_EQ(match.modules, c.modules);
    EXPECT_EQ(match.shift, c.shift);
    EXPECT_THAT(match.note, HasSubstr(c.note));
    if (!*c.note) {
      EXPECT_EQ(match.note, "");
    }
  }
}

TEST(KernelMatch, BuildIdOfNotes) {
  const auto word = [](uint32_t value) { return std::string(reinterpret_cast<const char*>(&value), 4); };
  const std::string other = word(6) + word(4) + word(1) + std::string("Linux\0\0\0", 8) + word(7);
  const std::string id = word(4) + word(3) + word(3) + std::string("GNU\0", 4) + "\x01\xab\xff";
  EXPECT_EQ(build_id_of_notes(other + id), "01abff");
  EXPECT_EQ(build_id_of_notes(other), "");
  EXPECT_EQ(build_id_of_notes((other + id).substr(0, other.size() + 17)), "");
  EXPECT_EQ(build_id_of_notes(word(0xffffffff) + word(0) + word(3)), "");
  EXPECT_EQ(build_id_of_notes(""), "");
}

}  // namespace
}  // namespace nettoll
