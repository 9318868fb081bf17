// SPDX-License-Identifier: Apache-2.0
#include "diagnose/observe/work.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

Works works(const char* name) {
  return works_of({name, kVmlinux, SymbolKind::kernel});
}

TEST(Work, NamesOfAllArchitecturesAndCompilers) {
  const struct {
    const char* name;
    Work work;
  } cases[] = {
      {"kfree_skb_reason", Work::free_dropped},
      {"sk_skb_reason_drop", Work::free_dropped},
      {"native_queued_spin_lock_slowpath", Work::lock_wait},
      {"native_queued_spin_lock_slowpath.part.0", Work::lock_wait},
      {"__pv_queued_spin_lock_slowpath", Work::lock_wait},
      {"queued_spin_lock_slowpath", Work::lock_wait},  // arm64
      {"_raw_spin_lock", Work::lock_take},
      {"___slab_alloc", Work::slab_slow},
      {"__slab_free.isra.0", Work::slab_slow},
      {"__alloc_pages_slowpath.constprop.0", Work::reclaim},
      {"csum_partial", Work::checksum},
      {"do_csum", Work::checksum},  // arm64, riscv
      {"csum_and_copy_from_iter_full", Work::checksum},
      {"copy_user_enhanced_fast_string", Work::user_copy},
      {"rep_movs_alternative", Work::user_copy},      // x86 from 6.4
      {"__arch_copy_to_user", Work::user_copy},       // arm64
      {"fallback_scalar_usercopy", Work::user_copy},  // riscv
      {"__asm_copy_from_user", Work::user_copy},
      {"tpacket_rcv", Work::tap},
      {"nf_conntrack_in", Work::conntrack},
      {"__nf_conntrack_find_get", Work::conntrack},
      {"ipt_do_table", Work::filter},
      {"nft_do_chain_ipv4", Work::filter},
      {"__x86_indirect_thunk_rax", Work::indirect_thunk},
      {"__x86_indirect_thunk_array", Work::indirect_thunk},
      {"srso_alias_safe_ret", Work::return_thunk},
      {"__x86_return_thunk", Work::return_thunk},
      {"retbleed_return_thunk", Work::return_thunk},
      {"check_heap_object", Work::usercopy_check},
      {"__check_object_size.part.0", Work::usercopy_check},
      {"__virt_addr_valid", Work::usercopy_check},
      {"clear_page_erms", Work::page_clear},
      {"__pi_clear_page", Work::page_clear},  // arm64
      {"__pi_memset", Work::memory_fill},
      {"kmem_cache_alloc_node_noprof", Work::slab_alloc},  // from 6.10
      {"__alloc_pages_noprof", Work::page_alloc},
      {"_raw_spin_unlock_irqrestore", Work::interrupt_enable},
      {"finish_task_switch.isra.0", Work::interrupt_enable},
  };
  for (const auto& c : cases) EXPECT_TRUE(works(c.name).has(c.work)) << c.name;
}

TEST(Work, WhatOnlySoundsAlike) {
  const struct {
    const char* name;
    Work work;
  } cases[] = {
      {"consume_skb", Work::free_dropped},
      {"__kfree_skb", Work::free_dropped},
      {"kfree_skbmem", Work::free_dropped},
      {"kfree_skb_partial", Work::free_dropped},
      {"_raw_spin_unlock_irqrestore", Work::lock_take},
      {"_raw_spin_lock", Work::lock_wait},
      {"copy_user_highpage", Work::user_copy},
      {"ip_fast_csum", Work::checksum},
      {"packet_sendmsg", Work::tap},
      {"nf_hook_slow", Work::filter},
      {"nf_hook_slow", Work::conntrack},
      {"copy_page", Work::page_clear},
      {"kmem_cache_alloc", Work::slab_slow},
      {"get_page_from_freelist", Work::page_list},
  };
  for (const auto& c : cases) EXPECT_FALSE(works(c.name).has(c.work)) << c.name;
}

TEST(Work, ProgramsAndBpfNameTheirFunctionsFreely) {
  EXPECT_EQ(works_of({"csum_partial", "/usr/bin/dpdk-app", SymbolKind::user}), Works());
  EXPECT_EQ(works_of({"kfree_skb", "bpf", SymbolKind::bpf}), Works());
  EXPECT_EQ(works_of({kUnknownName, "", SymbolKind::unknown}), Works());
  EXPECT_EQ(works_of({"", kVmlinux, SymbolKind::kernel}), Works());
}

TEST(Work, SourceNames) {
  EXPECT_EQ(written_name("tcp_v4_rcv.isra.0.cold"), "tcp_v4_rcv");
  EXPECT_EQ(written_name(".text_name"), ".text_name");
  EXPECT_EQ(written_name("__pi_memcpy"), "memcpy");
  EXPECT_EQ(written_name("kmem_cache_alloc_noprof"), "kmem_cache_alloc");
  EXPECT_EQ(written_name(""), "");
}

}  // namespace
}  // namespace nettoll
