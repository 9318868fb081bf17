// SPDX-License-Identifier: Apache-2.0
#include "symbolize/elf_symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>

#include "symbolize/demangle.h"

namespace nettoll {

/// A function to be found in this very program.
__attribute__((noinline)) int landmark_of_elf_test(int value) {
  asm volatile("" : "+r"(value));
  return value;
}

namespace {

using ::testing::HasSubstr;

/// Where an address of this program is in its file.
uint64_t file_offset_of(const void* code) {
  struct Search {
    uint64_t address;
    uint64_t offset;
  } search{reinterpret_cast<uint64_t>(code), 0};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& load = info->dlpi_phdr[i];
          const uint64_t begin = info->dlpi_addr + load.p_vaddr;
          if (load.p_type == PT_LOAD && wanted.address >= begin && wanted.address < begin + load.p_memsz)
            wanted.offset = wanted.address - begin + load.p_offset;
        }
        return 0;
      },
      &search);
  return search.offset;
}

TEST(ElfSymbols, FindsAFunctionOfThisProgram) {
  const auto symbols = ElfSymbols::load("", "/proc/self/exe");
  ASSERT_TRUE(symbols.has_value()) << symbols.error().text();
  const uint64_t place = file_offset_of(reinterpret_cast<const void*>(&landmark_of_elf_test));
  EXPECT_EQ(symbols->find(place), "nettoll::landmark_of_elf_test");
  EXPECT_EQ(symbols->find(place + 1), "nettoll::landmark_of_elf_test");
  EXPECT_FALSE(symbols->find(0));
  EXPECT_FALSE(symbols->find(UINT64_MAX));
  EXPECT_EQ(symbols->build_id().size(), 40u);
}

TEST(ElfSymbols, SaysWhatIsNoElfFile) {
  EXPECT_THAT(ElfSymbols::load("/no/root", "/bin/x").error().text(), HasSubstr("/no/root/bin/x"));
  EXPECT_THAT(ElfSymbols::load("", "/etc/passwd").error().text(), HasSubstr("no ELF file"));
}

TEST(Demangle, AsPerfPrintsNames) {
  const std::pair<const char*, const char*> table[] = {
      {"main", "main"},
      {"_Z5gammav", "gamma"},
      {"_ZN3foo3barEPFicE", "foo::bar"},
      {"_ZNK3foo3barEi", "foo::bar"},
      {"_ZN3foo3bazIiEEvT_", "foo::baz<int>"},
      {"_ZN3fooclEi", "foo::operator()"},
      {"_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo"},
      {"_ZN3foocviEv", "foo::operator int"},
      {"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"},
      {"_Znot_mangled", "_Znot_mangled"},
      {"_ZThn16_N3foo3barEv", "non-virtual thunk to foo::bar"},
  };
  for (const auto& [mangled, name] : table) EXPECT_EQ(demangled(mangled), name) << mangled;
}

}  // namespace
}  // namespace nettoll
