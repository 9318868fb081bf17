// SPDX-License-Identifier: Apache-2.0
// Each observation: where it is made, where not, and what must not be said instead.
#include "diagnose/observe/observe.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <random>
#include <set>

#include "unit/diagnose/observe/observed.h"

namespace nettoll {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAreArray;

/// 1000 kernel samples: `some` of one stack, the rest of receive work that nothing is said of.
Profile with(const std::vector<std::string>& stack, uint32_t some) {
  return profile_of({{stack, some}, {kReceive, 1000 - some}});
}

struct Case {
  const char* what;
  std::vector<std::string> stack;  ///< of `samples` out of 1000, the rest being receive work
  uint32_t samples;
  std::vector<std::string> expected;  ///< ids, all of them
};

const std::vector<std::string> kRx = {"process_backlog", "net_rx_action", "handle_softirqs", "do_softirq"};
const std::vector<std::string> kTx = {"__dev_queue_xmit", "ip_output", "udp_sendmsg", "do_syscall_64"};

// 1000 samples, 2 standard errors: 30 samples are 3% ± 1.1%, 100 are 10% ± 1.9%, 300 are 30% ± 2.9%.
const Case kCases[] = {
    // Drops.
    {"dropped in receive work",
     on({"skb_release_data", "kfree_skb_reason", "udp_queue_rcv_one_skb"}, kRx),
     50,
     {"drop_path_cost"}},
    {"6.11 and later",
     on({"kmem_cache_free", "sk_skb_reason_drop", "tcp_v4_rcv"}, kRx),
     50,
     {"drop_path_cost"}},
    {"by a queueing discipline's helper",
     on({"skb_release_data", "kfree_skb_list_reason", "__dev_queue_xmit", "ip_output"}, kRx),
     50,
     {"drop_path_cost"}},
    {"few", on({"skb_release_data", "kfree_skb_reason", "udp_queue_rcv_one_skb"}, kRx), 25, {}},
    {"consumed is not dropped",
     on({"kmem_cache_free", "__kfree_skb", "consume_skb", "packet_rcv_fanin"}, kRx),
     300,
     {}},
    {"a driver after it sent",
     on({"skb_release_data", "kfree_skb_reason", "dev_kfree_skb_any_reason", "free_old_xmit"}, kRx),
     300,
     {}},
    {"a message of AF_UNIX",
     on({"skb_release_data", "kfree_skb_reason", "unix_stream_connect", "sock_sendmsg"}, kSend),
     300,
     {}},
    {"fragments go with their head",
     on({"kmem_cache_free", "kfree_skb_list_reason", "skb_release_data", "consume_skb", "tcp_recvmsg"},
        kSend),
     300,
     {}},

    // Locks.
    {"x86",
     on({"native_queued_spin_lock_slowpath", "_raw_spin_lock", "udp_enqueue"}, kRx),
     100,
     {"lock_contention"}},
    {"a guest",
     on({"kvm_wait", "__pv_queued_spin_lock_slowpath", "_raw_spin_lock", "udp_enqueue"}, kRx),
     100,
     {"lock_contention"}},
    {"arm64",
     on({"queued_spin_lock_slowpath", "_raw_spin_lock_bh", "udp_enqueue"}, kRx),
     100,
     {"lock_contention"}},
    {"a compiler's clone",
     on({"native_queued_spin_lock_slowpath.part.0", "_raw_spin_lock", "udp_enqueue"}, kRx),
     100,
     {"lock_contention"}},
    {"a semaphore, outside the network",
     on({"rwsem_spin_on_owner", "rwsem_down_write_slowpath", "down_write"}, kElse),
     100,
     {"lock_contention"}},
    {"a mutex",
     on({"mutex_spin_on_owner", "__mutex_lock.constprop.0", "mutex_lock", "rtnl_lock"}, kElse),
     100,
     {"lock_contention"}},
    {"little", on({"native_queued_spin_lock_slowpath", "_raw_spin_lock", "udp_enqueue"}, kRx), 60, {}},
    {"giving a lock back is no contention",
     on({"_raw_spin_unlock_irqrestore", "__wake_up_common_lock", "sock_def_readable"}, kRx),
     100,
     {"timer_blind"}},
    {"no slow path: it cannot be told", on({"_raw_spin_lock", "udp_enqueue"}, kRx), 100, {"lock_taking"}},
    {"an interrupt upon a wait is not waiting",
     on({"ip_rcv", "net_rx_action", "handle_softirqs", "__irq_exit_rcu", "sysvec_apic_timer_interrupt",
         "native_queued_spin_lock_slowpath", "_raw_spin_lock"},
        kElse),
     300,
     {}},

    // Memory.
    {"slab",
     on({"get_partial_node.part.0", "___slab_alloc", "kmem_cache_alloc_node_noprof", "__alloc_skb"}, kSend),
     100,
     {"slab_slow_path"}},
    {"slab, freeing",
     on({"__slab_free", "kmem_cache_free", "skb_free_head", "skb_release_data", "consume_skb", "udp_recvmsg"},
        kSend),
     100,
     {"slab_slow_path"}},
    {"the fast path", on({"kmem_cache_alloc_node", "__alloc_skb"}, kSend), 300, {}},
    {"slab outside the network", on({"___slab_alloc", "kmem_cache_alloc", "getname_flags"}, kElse), 300, {}},
    {"pages",
     on({"rmqueue_bulk", "__rmqueue_pcplist", "get_page_from_freelist", "__alloc_pages",
         "skb_page_frag_refill"},
        kSend),
     100,
     {"page_allocator"}},
    {"pages, from the per-CPU list",
     on({"get_page_from_freelist", "__alloc_pages", "skb_page_frag_refill"}, kSend),
     300,
     {}},
    {"reclaim",
     {"shrink_folio_list", "shrink_lruvec", "shrink_node", "balance_pgdat", "kswapd", "kthread"},
     50,
     {"memory_reclaim"}},
    {"compaction",
     {"isolate_migratepages_block", "compact_zone", "compact_node", "kcompactd", "kthread"},
     50,
     {"memory_compaction"}},

    // Data.
    {"checksum, receiving",
     on({"csum_partial", "__skb_checksum", "__skb_checksum_complete", "udp4_csum_init"}, kRx),
     100,
     {"checksum_cost"}},
    {"checksum, arm64",
     on({"do_csum", "csum_partial", "skb_checksum", "skb_checksum_help", "validate_xmit_skb"}, kTx),
     100,
     {"checksum_cost"}},
    {"checksum, little", on({"csum_partial", "__skb_checksum"}, kRx), 35, {}},
    {"checksum of a header", on({"ip_fast_csum", "ip_rcv_core"}, kRx), 300, {}},
    {"copy, x86",
     on({"rep_movs_alternative", "_copy_to_iter", "__skb_datagram_iter", "skb_copy_datagram_iter",
         "udp_recvmsg"},
        kSend),
     300,
     {"copy_cost"}},
    {"copy, arm64",
     on({"__arch_copy_to_user", "_copy_to_iter", "simple_copy_to_iter", "udp_recvmsg"}, kSend),
     300,
     {"copy_cost"}},
    {"copy, riscv",
     on({"fallback_scalar_usercopy", "_copy_from_iter", "ip_generic_getfrag"}, kSend),
     300,
     {"copy_cost"}},
    {"copy, as usual", on({"rep_movs_alternative", "_copy_to_iter", "udp_recvmsg"}, kSend), 150, {}},
    {"a file's copy is no packet's",
     on({"rep_movs_alternative", "_copy_to_iter", "filemap_read"}, kElse),
     300,
     {}},
    {"copies in the kernel",
     on({"memcpy", "skb_copy_bits", "pskb_expand_head", "ip_forward"}, kRx),
     100,
     {"packet_copies"}},

    // Hooks.
    {"tap, receiving", on({"packet_rcv", "__netif_receive_skb_core.constprop.0"}, kRx), 60, {"packet_taps"}},
    {"tap, ring",
     on({"memcpy_erms", "skb_copy_bits", "tpacket_rcv", "dev_queue_xmit_nit", "dev_hard_start_xmit"}, kTx),
     45,
     {"packet_taps"}},
    {"sending by a packet socket is no tap", on({"packet_snd", "packet_sendmsg"}, kSend), 300, {}},
    {"conntrack",
     on({"__nf_conntrack_find_get", "nf_conntrack_in", "nf_hook_slow"}, kRx),
     100,
     {"conntrack_cost"}},
    {"iptables", on({"ipt_do_table", "nf_hook_slow", "ip_local_deliver"}, kRx), 100, {"filter_cost"}},
    {"nftables",
     on({"nft_meta_get_eval", "nft_do_chain", "nft_do_chain_inet", "nf_hook_slow"}, kRx),
     100,
     {"filter_cost"}},
    {"the hook itself is no rule", on({"nf_hook_slow", "ip_local_deliver"}, kRx), 300, {}},

    // Hardening and debugging.
    {"retpoline", on({"__x86_indirect_thunk_rax", "ip_local_deliver"}, kRx), 30, {"tax_retpoline"}},
    {"return thunks of SRSO", on({"srso_alias_safe_ret", "ip_local_deliver"}, kRx), 30, {"tax_return_thunk"}},
    {"return thunk", on({"__x86_return_thunk", "ip_local_deliver"}, kRx), 30, {"tax_return_thunk"}},
    {"usercopy",
     on({"check_heap_object", "__check_object_size", "simple_copy_to_iter", "udp_recvmsg"}, kSend),
     30,
     {"tax_usercopy"}},
    {"usercopy without the frame between",
     on({"__virt_addr_valid", "skb_datagram_iter", "udp_recvmsg"}, kSend),
     30,
     {"tax_usercopy"}},
    {"a page of a packet, cleared",
     on({"clear_page_erms", "post_alloc_hook", "get_page_from_freelist", "__alloc_pages",
         "skb_page_frag_refill"},
        kSend),
     30,
     {"tax_init_on_alloc"}},
    {"the same on arm64",
     on({"__pi_clear_page", "kernel_init_pages", "post_alloc_hook", "get_page_from_freelist",
         "__alloc_pages_noprof", "page_pool_alloc_pages"},
        kRx),
     30,
     {"tax_init_on_alloc"}},
    {"a page fault must clear",
     on({"clear_page_erms", "post_alloc_hook", "get_page_from_freelist", "__alloc_pages", "vma_alloc_folio",
         "do_anonymous_page", "handle_mm_fault", "exc_page_fault"},
        {"asm_exc_page_fault"}),
     300,
     {}},
    {"a page fault while copying must clear",
     on({"clear_page_erms", "post_alloc_hook", "get_page_from_freelist", "__alloc_pages", "vma_alloc_folio",
         "handle_mm_fault", "exc_page_fault", "asm_exc_page_fault", "rep_movs_alternative", "_copy_to_iter",
         "udp_recvmsg"},
        kSend),
     100,
     {}},
    {"an object of a packet, cleared",
     on({"memset_orig", "kmem_cache_alloc_node", "__alloc_skb"}, kSend),
     30,
     {"tax_init_on_alloc"}},
    {"kzalloc must clear", on({"memset_orig", "__kmalloc", "alloc_netdev"}, kElse), 300, {}},
    {"__alloc_skb clears its own head", on({"memset_orig", "__alloc_skb"}, kSend), 300, {}},
    {"cleared when freed",
     on({"clear_page_erms", "free_pages_prepare", "free_unref_page", "skb_release_data", "consume_skb"}, kRx),
     30,
     {"tax_init_on_free"}},
    {"KASAN", on({"kasan_check_range", "ip_local_deliver"}, kRx), 30, {"tax_sanitizer"}},
    {"KFENCE", on({"kfence_guarded_alloc", "__kfence_alloc", "kmem_cache_alloc"}, kRx), 30, {"tax_kfence"}},
    {"lockdep", on({"__lock_acquire", "lock_acquire", "ip_local_deliver"}, kRx), 30, {"tax_lock_debug"}},
    {"slub_debug",
     on({"check_bytes_and_report", "check_object", "free_debug_processing"}, kRx),
     30,
     {"tax_slab_debug"}},
    {"SELinux",
     on({"selinux_socket_sock_rcv_skb", "security_sock_rcv_skb", "sk_filter_trim_cap"}, kRx),
     60,
     {"tax_security_module"}},
    {"seccomp", {"__seccomp_filter", "__secure_computing", "do_syscall_64"}, 30, {"tax_audit"}},
    {"entry", {"entry_SYSCALL_64"}, 90, {"tax_kernel_entry"}},
    {"entry, as usual", {"entry_SYSCALL_64"}, 40, {}},
};

TEST(Observe, EachCase) {
  for (const Case& c : kCases) {
    const Diagnosis diagnosis = observe(with(c.stack, c.samples));
    EXPECT_THAT(ids(diagnosis), UnorderedElementsAreArray(c.expected)) << c.what;
  }
}

TEST(Observe, OrdinaryNetworkWorkHasNone) {
  EXPECT_THAT(ids(observe(profile_of({{kReceive, 500}, {kSend, 300}, {kElse, 200}}))), IsEmpty());
}

TEST(Observe, EveryObservationHasACheckAndEveryFindingAConfidence) {
  for (const Case& c : kCases) {
    const Diagnosis diagnosis = observe(with(c.stack, c.samples));
    ASSERT_EQ(diagnosis.checks.size(), observations().size());
    for (const Finding& finding : diagnosis.findings) {
      EXPECT_FALSE(finding.subject.empty() || finding.condition.empty() || finding.evidence.empty() ||
                   finding.explanation.empty() || finding.remedy.empty())
          << finding.id;
      if (finding.subject != "the profile") {
        EXPECT_TRUE(finding.confidence) << finding.id;
      }
      EXPECT_THAT(finding.condition, Not(HasSubstr("e+"))) << "a number as a person reads it";
    }
  }
}

TEST(Observe, SharesHaveErrorsAndSamples) {
  const auto stack = on({"native_queued_spin_lock_slowpath", "_raw_spin_lock", "udp_enqueue"}, kRx);
  const Diagnosis diagnosis = observe(profile_of({{stack, 160}, {kReceive, 240}, {kElse, 400}}));
  const Finding* found = find(diagnosis, "lock_contention");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->condition, "waiting for locks takes 40% of network time");
  ASSERT_EQ(found->evidence.size(), 3u);
  EXPECT_EQ(found->evidence[0].what, "part of network time (cycles)");
  EXPECT_DOUBLE_EQ(found->evidence[0].value, 40);
  EXPECT_NEAR(*found->evidence[0].error, 100 * std::sqrt(0.4 * 0.6 / 400), 1e-9);
  EXPECT_EQ(found->evidence[0].samples, 160u);
  EXPECT_EQ(found->evidence[1].what, "part of kernel time (cycles)");
  EXPECT_DOUBLE_EQ(found->evidence[1].value, 20);
  EXPECT_EQ(found->evidence[2].what, "wanted by udp_enqueue");
  EXPECT_EQ(found->severity, Severity::warning);
  EXPECT_EQ(found->confidence, Confidence::high);
}

TEST(Observe, OtherEventsStandBeside) {
  const auto stack = on({"nft_do_chain", "nf_hook_slow"}, kRx);
  ProfileBuilder builder({"cpu-clock", "cycles", "instructions", "branch-misses"}, 1);
  for (const uint32_t event : {0u, 1u, 2u}) {
    builder.sample(event, 0, stack, 200, 200).sample(event, 0, kReceive, 200, 200);
  }
  builder.sample(3, 0, stack, 15, 15).sample(3, 0, kReceive, 100, 100);
  const Diagnosis diagnosis = observe(builder.profile);
  const Finding* found = find(diagnosis, "filter_cost");
  ASSERT_TRUE(found);
  std::vector<std::string> whats;
  for (const Evidence& one : found->evidence) whats.push_back(one.what);
  EXPECT_THAT(whats, ElementsAre("part of network time (cycles)", "part of kernel time (cycles)",
                                 "part of network events (cpu-clock)",
                                 "part of network events (instructions)", "in nft_do_chain"));
}

TEST(Observe, IdleUserAndOwnTimeIsNoKernelWork) {
  const auto stack = on({"nft_do_chain", "nf_hook_slow"}, kRx);
  ProfileBuilder builder({"cpu-clock"}, 1);
  builder.sample(0, 0, stack, 100, 100).sample(0, 0, kReceive, 300, 300);
  builder.sample(0, 0, {"pv_native_safe_halt", "default_idle", "do_idle", "cpu_startup_entry"}, 5000, 5000);
  builder.sample(0, 0, {kUserName}, 5000, 5000)
      .sample(0, 0, {kOwnCostName, "ip_rcv", "net_rx_action"}, 500, 500);
  const Diagnosis diagnosis = observe(builder.profile);
  const Finding* found = find(diagnosis, "filter_cost");
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->evidence[0].value, 25);
  EXPECT_DOUBLE_EQ(found->evidence[1].value, 25);
}

TEST(Observe, WhoDropsIsNamedPastHelpers) {
  const Diagnosis diagnosis = observe(with(
      on({"skb_release_data", "__kfree_skb", "kfree_skb_list_reason", "__dev_kfree_skb_list", "fq_enqueue"},
         kTx),
      100));
  const Finding* found = find(diagnosis, "drop_path_cost");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->evidence.back().what, "dropped by fq_enqueue");
}

TEST(Observe, WhichWayChecksumsGo) {
  const auto checked =
      on({"csum_partial", "__skb_checksum", "__skb_checksum_complete", "tcp_rcv_established"}, kRx);
  const auto sent = on({"csum_partial", "skb_checksum_help", "validate_xmit_skb"}, kTx);
  const auto segments = on({"csum_partial", "__skb_checksum", "skb_segment", "tcp_gso_segment"}, kTx);
  const auto neither = on({"csum_partial", "nft_payload_csum"}, kRx);
  const struct {
    std::vector<Sampled> sums;
    const char* says;
  } cases[] = {{{{checked, 100}}, "Most of it checks packets that came in."},
               {{{sent, 100}}, "Most of it is for packets that go out."},
               {{{checked, 20}, {segments, 80}}, "Most of it is for packets that go out."},
               {{{checked, 40}, {neither, 60}}, ""}};
  for (const auto& c : cases) {
    std::vector<Sampled> all = c.sums;
    all.push_back({kReceive, 400});
    const Diagnosis diagnosis = observe(profile_of(all));
    const Finding* found = find(diagnosis, "checksum_cost");
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->explanation.starts_with(*c.says ? c.says : "The kernel sums")) << found->explanation;
  }
}

TEST(Observe, AllHardeningTogetherStandsApart) {
  std::vector<Sampled> all{{kReceive, 880}};
  for (const auto& leaf : {"__x86_indirect_thunk_rax", "__x86_return_thunk", "check_heap_object"})
    all.push_back({on({leaf, "ip_local_deliver"}, kRx), 40});
  const Diagnosis diagnosis = observe(profile_of(all));
  EXPECT_THAT(ids(diagnosis),
              ElementsAre("security_tax", "tax_retpoline", "tax_return_thunk", "tax_usercopy"));
  const Finding* found = find(diagnosis, "security_tax");
  EXPECT_DOUBLE_EQ(found->evidence[0].value, 12);
  EXPECT_THAT(words(*find(diagnosis, "tax_retpoline")), HasSubstr("spectre_v2="));
  EXPECT_THAT(words(*find(diagnosis, "tax_retpoline")), HasSubstr("Off, programs and guests"));
  EXPECT_THAT(words(*find(diagnosis, "tax_return_thunk")), HasSubstr("spec_rstack_overflow="));
  EXPECT_THAT(words(*find(diagnosis, "tax_usercopy")), HasSubstr("hardened_usercopy=off"));
}

TEST(Observe, CacheMissesOfReceiveWork) {
  const struct {
    const char* what;
    const char* event;
    uint32_t receive_misses, receive_cycles;  // of 400 each
    bool found;
  } cases[] = {
      {"more than its time", "cache-misses", 240, 120, true},
      {"of another cache", "LLC-load-misses", 240, 120, true},
      {"as its time", "cache-misses", 240, 240, false},
      {"more, and few of all", "cache-misses", 100, 20, false},
      {"of a branch predictor", "branch-misses", 240, 120, false},
      {"of an address cache", "dTLB-load-misses", 240, 120, false},
  };
  for (const auto& c : cases) {
    ProfileBuilder builder({"cycles", c.event}, 1);
    builder.sample(0, 0, kReceive, c.receive_cycles, c.receive_cycles)
        .sample(0, 0, kElse, 400 - c.receive_cycles, 400 - c.receive_cycles)
        .sample(1, 0, kReceive, c.receive_misses, c.receive_misses)
        .sample(1, 0, kElse, 400 - c.receive_misses, 400 - c.receive_misses);
    const Diagnosis diagnosis = observe(builder.profile);
    const Finding* found = find(diagnosis, "receive_cache_misses");
    EXPECT_EQ(found != nullptr, c.found) << c.what;
    if (found) {
      EXPECT_EQ(found->evidence.back().what, "in ip_rcv");
    }
  }
}

TEST(Observe, MissesAloneHaveNoTimeToCompareWith) {
  const Diagnosis diagnosis = observe(profile_of({{kReceive, 300}, {kElse, 100}}, "cache-misses"));
  EXPECT_TRUE(find(diagnosis, "receive_cache_misses"));
  EXPECT_THAT(check(diagnosis, "lock_contention")->why, HasSubstr("no event stands for time"));
}

TEST(Observe, TracepointsAreNoTime) {
  const auto stack = on({"kfree_skb_reason", "udp_queue_rcv_one_skb"}, kRx);
  const Diagnosis diagnosis = observe(profile_of({{stack, 1000}}, "skb:kfree_skb"));
  EXPECT_THAT(ids(diagnosis), IsEmpty());
  EXPECT_EQ(check(diagnosis, "drop_path_cost")->outcome, Check::Outcome::unknown);
}

TEST(Observe, WhatIsNotThereIsNotSaidToBeFine) {
  const Diagnosis none = observe(profile_of({}));
  const Diagnosis user = observe(profile_of({{{kUserName}, 1000}}));
  for (const Diagnosis* diagnosis : {&none, &user}) {
    EXPECT_THAT(diagnosis->findings, IsEmpty());
    for (const Check& one : diagnosis->checks) {
      if (one.id != "samples_lost") {
        EXPECT_EQ(one.outcome, Check::Outcome::unknown) << one.id;
      }
    }
  }
  const Diagnosis no_network = observe(profile_of({{kElse, 1000}}));
  EXPECT_EQ(check(no_network, "copy_cost")->why, "no network work was sampled");
  EXPECT_EQ(check(no_network, "memory_reclaim")->outcome, Check::Outcome::fine);
}

TEST(Observe, NamesOfEventsThatStandForTime) {
  const auto stack = on({"nft_do_chain", "nf_hook_slow"}, kRx);
  for (const char* event :
       {"cycles", "cycles:ppp", "cpu-cycles:k", "cpu_core/cycles/", "cpu-clock:pppH", "task-clock"})
    EXPECT_TRUE(find(observe(profile_of({{stack, 100}, {kReceive, 300}}, event)), "filter_cost")) << event;
  for (const char* event : {"ref-cycles", "stalled-cycles-frontend", "page-faults"})
    EXPECT_FALSE(find(observe(profile_of({{stack, 100}, {kReceive, 300}}, event)), "filter_cost")) << event;
}

/// The page has a row for each observation, and no row for what is none.
TEST(Observe, EveryObservationIsExplained) {
  std::ifstream file(NETTOLL_SOURCE_DIR "/deploy/docs/observations.md");
  std::multiset<std::string> rows;
  for (std::string line; std::getline(file, line);) {
    const size_t end = line.find("` |");
    if (line.starts_with("| `") && end != line.npos) rows.insert(line.substr(3, end - 3));
  }
  std::multiset<std::string> all;
  for (const Observation& observation : observations()) all.emplace(observation.id);
  EXPECT_EQ(rows, all);
}

/// Stacks of names that mean something, in any order.
TEST(Observe, AnyStacksGiveSharesOfAWhole) {
  std::vector<std::string> names = {kUserName, kUnknownName, kOwnCostName, "do_idle", ""};
  for (const Case& c : kCases) names.insert(names.end(), c.stack.begin(), c.stack.end());
  std::mt19937 random(7);
  const auto upto = [&](size_t most) { return std::uniform_int_distribution<size_t>(0, most)(random); };
  size_t found = 0;
  for (int round = 0; round < 200; ++round) {
    ProfileBuilder builder({"cpu-clock", "cycles", "cache-misses", "skb:kfree_skb"}, 2);
    for (size_t stacks = upto(40); stacks > 0; --stacks) {
      std::vector<std::string> stack;
      for (size_t frames = upto(8); frames > 0; --frames) stack.push_back(names[upto(names.size() - 1)]);
      builder.sample(static_cast<uint32_t>(upto(3)), static_cast<uint32_t>(upto(1)), stack,
                     static_cast<uint32_t>(upto(500)), upto(1'000'000));
    }
    if (upto(1)) builder.count(0, 0, upto(1'000'000'000));
    const Diagnosis diagnosis = observe(builder.profile);
    EXPECT_EQ(diagnosis.checks.size(), observations().size());
    for (const Finding& finding : diagnosis.findings) {
      ++found;
      for (const Evidence& one : finding.evidence) {
        if (one.unit != "%") continue;
        EXPECT_TRUE(one.value > 0 && one.value <= 100) << finding.id << ": " << one.what << " " << one.value;
        EXPECT_TRUE(!one.error || (*one.error >= 0 && *one.error <= 100)) << finding.id << ": " << one.what;
      }
    }
  }
  EXPECT_GT(found, 100u);
}

}  // namespace
}  // namespace nettoll
