// SPDX-License-Identifier: Apache-2.0
#include "symbolize/symbol_names.h"

#include <gtest/gtest.h>

#include <string>

namespace nettoll {
namespace {

TEST(BaseName, StripsWhatTheCompilerSplitOff) {
  const struct {
    const char *name, *base;
  } cases[] = {
      {"ip_rcv", "ip_rcv"},
      {"__napi_poll.cold", "__napi_poll"},
      {"__napi_poll.cold.17", "__napi_poll"},
      {"do_softirq.part.0", "do_softirq"},
      {"kmalloc_array_noprof.constprop.0", "kmalloc_array_noprof"},
      {"ip_rcv_core.isra.0", "ip_rcv_core"},
      {"ip_rcv_core.isra.0.cold", "ip_rcv_core"},
      {"f.constprop.0.isra.12.part.3.cold.4", "f"},
      {"__list_add.lto_priv.3", "__list_add"},
      {"f.localalias", "f"},
      // Not a clone's suffix, or no name left.
      {"f.0", "f.0"},
      {"f.isra.x", "f.isra.x"},
      {"f.part.", "f.part."},
      {"f.other.0", "f.other.0"},
      {".cold", ".cold"},
      {".isra.0", ".isra.0"},
      {"coldstart", "coldstart"},
      {"", ""},
  };
  for (const auto& c : cases) EXPECT_EQ(base_name(c.name), c.base) << c.name;
}

TEST(BuildSuffix, IsLlvmsHashAndCfi) {
  const struct {
    const char *name, *rest;
  } cases[] = {
      {"tcp_ack.llvm.7180417429467412932", "tcp_ack"},
      {"tcp_ack.cfi", "tcp_ack"},
      {"tcp_ack.cfi.llvm.123", "tcp_ack"},
      {"tcp_ack.cold.llvm.123", "tcp_ack.cold"},
      {"tcp_ack.cfi_jt", "tcp_ack.cfi_jt"},
      {".llvm.1", ".llvm.1"},
      {".cfi", ".cfi"},
      {"f.isra.0", "f.isra.0"},
  };
  for (const auto& c : cases) EXPECT_EQ(without_build_suffix(c.name), c.rest) << c.name;
}

TEST(MappingSymbol, MarksBytesNotCode) {
  for (const char* name : {"$x", "$d", "$x.17", "$a", "$t", ".L123", ".LBB0_1", "L0\x01"})
    EXPECT_TRUE(is_mapping_symbol(name)) << name;
  for (const char* name : {"x", "d", "ip_rcv", "Ldisc", "_L0"}) EXPECT_FALSE(is_mapping_symbol(name)) << name;
}

TEST(BetterAlias, ChoosesWhatAReaderWouldLookFor) {
  const struct {
    Alias better, worse;
  } cases[] = {
      {{"srso_alias_untrain_ret", true}, {"_text", true}},
      {{"srso_alias_untrain_ret", true}, {"__pi__text", true}},
      {{"irq_entries_start", true}, {"__irqentry_text_start", true}},
      {{"common_interrupt_return", false}, {"__irqentry_text_end", true}},
      {{"local_one", false}, {"__SCT__tp_func_napi_poll", true}},
      {{"__unlikely_text_start", true}, {"__pfx_run_init_process", false}},
      {{"a_longer_global", true}, {"local", false}},
      {{"__x64_sys_getpid", true}, {"__do_sys_getpid", false}},
      {{"__x64_sys_getpid", true}, {"__ia32_sys_getpid", true}},
      {{"memcpy", true}, {"__memcpy", true}},
      {{"memcpy_orig_long_name", true}, {"__memcpy", true}},
      {{"ftrace_ops_list_func", true}, {"arch_ftrace_ops_list_func", true}},
      {{"ab", true}, {"ac", true}},
  };
  for (const auto& c : cases) {
    EXPECT_TRUE(better_alias(c.better, c.worse)) << c.better.name << " " << c.worse.name;
    EXPECT_FALSE(better_alias(c.worse, c.better)) << c.better.name << " " << c.worse.name;
  }
  EXPECT_FALSE(better_alias({"same", true}, {"same", true}));
}

TEST(BpfNames, AreTakenApart) {
  const auto named = parse_bpf_program("bpf_prog_ee0e253c78993a24_sd_devices");
  ASSERT_TRUE(named);
  EXPECT_EQ(named->tag, "ee0e253c78993a24");
  EXPECT_EQ(named->name, "sd_devices");
  const auto bare = parse_bpf_program("bpf_prog_ab4bc4523b7fe6b4");
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->name, "");
  for (const char* name :
       {"bpf_prog_add", "bpf_prog_run_generic_xdp", "bpf_prog_ab4bc4523b7fe6b", "bpf_prog_ab4bc4523b7fe6b4x",
        "bpf_prog_AB4BC4523B7FE6B4_x", "xbpf_prog_ab4bc4523b7fe6b4", ""})
    EXPECT_FALSE(parse_bpf_program(name)) << name;
  EXPECT_TRUE(is_bpf_trampoline("bpf_trampoline_6442507883"));
  EXPECT_TRUE(is_bpf_trampoline("bpf_trampoline_71858_1"));
  for (const char* name :
       {"bpf_trampoline_", "bpf_trampoline_link_prog", "bpf_trampoline_64x", "bpf_trampoline_64_",
        "bpf_trampoline__1", "bpf_trampoline_64_x", "bpf_trampoline_64_1_2"})
    EXPECT_FALSE(is_bpf_trampoline(name)) << name;
}

TEST(SymbolNames, TrampolinesOfAllImagesAreOne) {
  EXPECT_EQ(without_image_number("bpf_trampoline_71858_12"), "bpf_trampoline_71858");
  EXPECT_EQ(without_image_number("bpf_trampoline_71858"), "bpf_trampoline_71858");
  EXPECT_EQ(without_image_number("bpf_trampoline_link_prog"), "bpf_trampoline_link_prog");
  EXPECT_EQ(without_image_number("ip_rcv_1"), "ip_rcv_1");
}

}  // namespace
}  // namespace nettoll
