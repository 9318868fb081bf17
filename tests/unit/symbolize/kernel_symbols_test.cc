// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kernel_symbols.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

// Two sections of vmlinux, modules below and above it, BPF and pseudo modules, in the order of a real file.
constexpr const char* kHost =
    "ffffffff81000000 T _text\n"
    "ffffffff81000000 T _stext\n"
    "ffffffff81000000 T first_function\n"
    "ffffffff810000f0 t __pfx_ip_rcv\n"
    "ffffffff81000100 T ip_rcv\n"
    "ffffffff81000200 t ip_rcv_core.isra.0\n"
    "ffffffff81000300 T last_function\n"
    "ffffffff81000400 T _etext\n"
    "ffffffff81100000 D some_data\n"
    "ffffffff82000000 T _sinittext\n"
    "ffffffff82000000 t early_function\n"
    "ffffffff82000080 T _einittext\n"
    "0000000000000000 A __per_cpu_start\n"
    "ffffffffa0001000 t nft_do_chain\t[nf_tables]\n"
    "ffffffffa0001800 t nft_last\t[nf_tables]\n"
    "ffffffffa0003000 d nft_data\t[nf_tables]\n"
    "ffffffff80400000 t low_first\t[lowmod]\n"
    "ffffffff80400010 t low_last\t[lowmod]\n"
    "ffffffffc0201000 t ftrace_trampoline\t[__builtin__ftrace]\n"
    "ffffffffc0300000 t bpf_prog_ee0e253c78993a24_sd_devices\t[bpf]\n"
    "ffffffffc0300400 t bpf_prog_ab4bc4523b7fe6b4\n"
    "ffffffffc0400000 t bpf_trampoline_6442507883\t[bpf]\n";

std::string at(const KernelSymbols& symbols, uint64_t address) {
  const auto hit = symbols.find(address);
  return hit ? std::string(hit->name) + "/" + std::string(hit->module) : "-";
}

TEST(KernelSymbols, FindsFunctionsAndTheirEnds) {
  const auto symbols = KernelSymbols::parse(kHost);
  ASSERT_TRUE(symbols.has_value());
  const struct {
    uint64_t address;
    const char* is;
  } cases[] = {
      {0, "-"},
      {1, "-"},
      {0xffffffff80fffffful, "-"},
      {0xffffffff81000000ul, "first_function/vmlinux"},
      {0xffffffff810000fful, "first_function/vmlinux"},  // padding belongs to what covers it
      {0xffffffff81000100ul, "ip_rcv/vmlinux"},
      {0xffffffff810001fful, "ip_rcv/vmlinux"},
      {0xffffffff81000200ul, "ip_rcv_core.isra.0/vmlinux"},
      {0xffffffff810003fful, "last_function/vmlinux"},
      {0xffffffff81000400ul, "-"},  // _etext ends it
      {0xffffffff81100000ul, "-"},
      {0xffffffff8200007ful, "early_function/vmlinux"},
      {0xffffffff82000080ul, "-"},
      {0xffffffffa0000ffful, "-"},
      {0xffffffffa00017fful, "nft_do_chain/nf_tables"},
      {0xffffffffa0001800ul, "nft_last/nf_tables"},
      {0xffffffffa0002ffful, "nft_last/nf_tables"},
      {0xffffffffa0003000ul, "-"},  // the module's data
      {0xffffffff8040000ful, "low_first/lowmod"},
      {0xffffffff80400010ul, "low_last/lowmod"},
      {0xffffffff80400010ul + 0x7ffful, "low_last/lowmod"},
      {0xffffffff80400010ul + 0x8000ul, "-"},  // the longest tail
      {0xffffffffc0201ffful, "ftrace_trampoline/__builtin__ftrace"},
      {0xffffffffc0202000ul, "-"},  // a page
      {0xffffffffc03003fful, "bpf_prog_ee0e253c78993a24_sd_devices/bpf"},
      {0xffffffffc0300400ul, "bpf_prog_ab4bc4523b7fe6b4/bpf"},
      {0xffffffffc0400ffful, "bpf_trampoline_6442507883/bpf"},
      {0xffffffffc0401000ul, "-"},
      {0xfffffffffffffffful, "-"},
  };
  for (const auto& c : cases) EXPECT_EQ(at(*symbols, c.address), c.is) << std::hex << c.address;
  const auto hit = symbols->find(0xffffffff81000123);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->start, 0xffffffff81000100u);
  EXPECT_EQ(hit->kind, SymbolKind::kernel);
  EXPECT_EQ(symbols->find(0xffffffffc0300400)->kind, SymbolKind::bpf);
  EXPECT_EQ(symbols->skipped_lines(), 0u);
}

TEST(KernelSymbols, DoesNotDependOnTheOrderOfLines) {
  std::vector<std::string> lines;
  for (std::string_view rest = kHost; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1))
    lines.emplace_back(rest.substr(0, rest.find('\n') + 1));
  std::reverse(lines.begin(), lines.end());
  std::string text;
  for (const auto& line : lines) text += line;
  const auto straight = KernelSymbols::parse(kHost);
  const auto reversed = KernelSymbols::parse(text);
  ASSERT_TRUE(straight.has_value());
  ASSERT_TRUE(reversed.has_value());
  const auto all = [](const KernelSymbols& symbols) {
    std::vector<std::pair<uint64_t, std::string>> functions;
    symbols.for_each_function(
        [&](const Hit& hit) { functions.emplace_back(hit.start, std::string(hit.name)); });
    return functions;
  };
  EXPECT_EQ(all(*straight), all(*reversed));
  EXPECT_EQ(straight->size(), all(*straight).size());
  // _text, _stext, first_function, ip_rcv, ip_rcv_core, last_function; 2 of .init; 4 of modules; 1; 3 of bpf
  EXPECT_EQ(straight->size(), 16u);
}

TEST(KernelSymbols, StaysWithinTheLongestFunctionInsideASection) {
  const auto symbols = KernelSymbols::parse(
      "ffffffff81000000 T _stext\n"
      "ffffffff81000000 T f\n"
      "ffffffff82000000 T g\n"
      "ffffffff82000010 T _etext\n");
  ASSERT_TRUE(symbols.has_value());
  EXPECT_EQ(at(*symbols, 0xffffffff8101ffff), "f/vmlinux");
  EXPECT_EQ(at(*symbols, 0xffffffff81020000), "-");
  EXPECT_EQ(at(*symbols, 0xffffffff8200000f), "g/vmlinux");
}

TEST(KernelSymbols, TakesSectionEndsOfAnyType) {
  const auto symbols = KernelSymbols::parse(
      "ffffffff81000000 T _stext\n"
      "ffffffff81000000 T f\n"
      "ffffffff81000100 D _etext\n");
  ASSERT_TRUE(symbols.has_value());
  EXPECT_EQ(at(*symbols, 0xffffffff810000ff), "f/vmlinux");
  EXPECT_EQ(at(*symbols, 0xffffffff81000100), "-");
  EXPECT_EQ(symbols->count_named("_etext"), 0u);
}

TEST(KernelSymbols, KeepsPaddingThatNothingElseCovers) {
  const auto symbols = KernelSymbols::parse(
      "ffffffffa0000000 t __pfx_init_one\t[m]\n"
      "ffffffffa0000010 t init_one\t[m]\n"
      "ffffffffa0000050 t __pfx_two\t[m]\n"
      "ffffffffa0000060 t two\t[m]\n"
      "ffffffffa1000000 t __pfx_far\t[m]\n"
      "ffffffffa1000010 t far\t[m]\n");
  ASSERT_TRUE(symbols.has_value());
  EXPECT_EQ(at(*symbols, 0xffffffffa000000f), "__pfx_init_one/m");
  EXPECT_EQ(at(*symbols, 0xffffffffa0000010), "init_one/m");
  EXPECT_EQ(at(*symbols, 0xffffffffa0000055), "init_one/m");
  EXPECT_EQ(at(*symbols, 0xffffffffa0000060), "two/m");
  EXPECT_EQ(symbols->count_named("__pfx_two"), 0u);
}

TEST(KernelSymbols, GivesTheBestOfSeveralNamesAndKeepsTheOthersByName) {
  const auto symbols = KernelSymbols::parse(
      "ffffffff81000100 t __do_sys_getpid\n"
      "ffffffff81000100 T __ia32_sys_getpid\n"
      "ffffffff81000100 T __x64_sys_getpid\n"
      "ffffffff81000200 W memcpy\n"
      "ffffffff81000200 T __memcpy\n"
      "ffffffff81000300 t cmask_show\n"
      "ffffffff81000400 t cmask_show\n"
      "ffffffff81000500 t ours.llvm.123\n"
      "ffffffff81000600 t ours.cfi\n"
      "ffffffff81000700 d cmask_show\n"
      "ffffffff81000700 t at_data\n");
  ASSERT_TRUE(symbols.has_value());
  EXPECT_EQ(at(*symbols, 0xffffffff81000100), "__x64_sys_getpid/vmlinux");
  EXPECT_EQ(at(*symbols, 0xffffffff81000210), "memcpy/vmlinux");
  EXPECT_EQ(at(*symbols, 0xffffffff81000500), "ours/vmlinux");
  EXPECT_EQ(at(*symbols, 0xffffffff81000700), "at_data/vmlinux");
  EXPECT_EQ(symbols->count_named("__do_sys_getpid"), 1u);
  EXPECT_EQ(symbols->count_named("__memcpy"), 1u);
  EXPECT_EQ(symbols->count_named("cmask_show"), 2u);
  EXPECT_EQ(symbols->count_named("ours"), 2u);
  EXPECT_EQ(symbols->count_named("cmask"), 0u);
  EXPECT_EQ(symbols->count_named(""), 0u);
  std::vector<uint64_t> starts;
  symbols->for_each_named("cmask_show", [&](const Hit& hit) { starts.push_back(hit.start); });
  std::sort(starts.begin(), starts.end());
  EXPECT_EQ(starts, (std::vector<uint64_t>{0xffffffff81000300, 0xffffffff81000400}));
}

TEST(KernelSymbols, CountsEveryNameOfAManyBucketTable) {
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += fmt::format("{:016x} t f{}\n", 0xffffffff81000000 + i * 64ul, i % 1250);
  const auto symbols = KernelSymbols::parse(text);
  ASSERT_TRUE(symbols.has_value());
  for (int i = 0; i < 1250; ++i) EXPECT_EQ(symbols->count_named(fmt::format("f{}", i)), 4u) << i;
  EXPECT_EQ(symbols->count_named("f1250"), 0u);
}

TEST(KernelSymbols, HoldsLongNamesAndSurvivesBeingMoved) {
  const std::string name(600, 'n'), too_long(5000, 'x');
  auto parsed = KernelSymbols::parse("ffffffff81000000 t " + name + "\n" + "ffffffff81000100 t " + too_long +
                                     "\nffffffff81000200 t s\t[m]\n");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->skipped_lines(), 1u);
  const auto before = parsed->find(0xffffffff81000200);
  const KernelSymbols moved = std::move(*parsed);
  EXPECT_EQ(at(moved, 0xffffffff81000010), name + "/vmlinux");
  EXPECT_EQ(before->name, "s");
  EXPECT_EQ(before->module, "m");
}

TEST(KernelSymbols, SkipsGarbageAndACutOffLine) {
  const auto symbols = KernelSymbols::parse(
      "garbage\n"
      "\n"
      "ffffffff81000000 t good\n"
      "--\n"
      "0000000000000000 t no_address\n"
      "ffffffff81000100 t $x\n"
      "ffffffff81000200 t cut_off_na");
  ASSERT_TRUE(symbols.has_value());
  EXPECT_EQ(symbols->size(), 1u);
  EXPECT_EQ(symbols->skipped_lines(), 4u);
  EXPECT_EQ(at(*symbols, 0xffffffff81000200), "good/vmlinux");
}

TEST(KernelSymbols, RefusesWhatHoldsNoFunctions) {
  const auto hidden = KernelSymbols::parse(
      "0000000000000000 T _stext\n"
      "0000000000000000 t f\n"
      "0000000000000000 A percpu\n"
      "0000000000000000 t g\t[m]\n");
  ASSERT_FALSE(hidden.has_value());
  EXPECT_NE(hidden.error().remedy.find("root"), std::string::npos);
  EXPECT_NE(hidden.error().remedy.find("kernel.kptr_restrict=0"), std::string::npos);
  for (const char* text :
       {"", "\n", "nothing here\n", "ffffffff81000000 D only_data\n", "ffffffff81000000 T cut"}) {
    const auto none = KernelSymbols::parse(text);
    ASSERT_FALSE(none.has_value()) << text;
    EXPECT_NE(none.error().message.find("no function"), std::string::npos) << text;
  }
}

TEST(KernelSymbols, LoadsAFileLongerThanOnePiece) {
  FakeRoot root;
  std::string text;
  for (int i = 0; i < 10000; ++i)
    text += fmt::format("{:016x} t function_{}\n", 0xffffffff81000000 + i * 64ul, i);
  root.write("/proc/kallsyms", text);
  const auto symbols = KernelSymbols::load(KernelFs(root.path()));
  ASSERT_TRUE(symbols.has_value());
  EXPECT_EQ(symbols->size(), 10000u);
  EXPECT_EQ(symbols->skipped_lines(), 0u);
  for (int i = 0; i < 10000; ++i)
    EXPECT_EQ(at(*symbols, 0xffffffff81000000 + i * 64ul + 63), fmt::format("function_{}/vmlinux", i));
}

TEST(KernelSymbols, SaysWhichFileCouldNotBeRead) {
  FakeRoot root;
  const auto symbols = KernelSymbols::load(KernelFs(root.path()));
  ASSERT_FALSE(symbols.has_value());
  EXPECT_NE(symbols.error().message.find("/proc/kallsyms"), std::string::npos);
  EXPECT_EQ(symbols.error().code, ENOENT);
  EXPECT_FALSE(symbols.error().remedy.empty());
}

}  // namespace
}  // namespace nettoll
