// SPDX-License-Identifier: Apache-2.0
#include "correlate/path_rules.h"

#include <gtest/gtest.h>

#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

using Stack = std::vector<std::string>;

Path classify(const Stack& stack) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, stack, 1, 1);
  return path_of(b.profile.stacks[0], roles_of_symbols(b.profile.symbols));
}

TEST(RolesOfName, EntryPoints) {
  const struct {
    const char* name;
    uint16_t roles;
  } cases[] = {
      {"net_rx_action", kRxEntry},
      {"napi_threaded_poll", kRxEntry},
      {"napi_threaded_poll_loop", kRxEntry},
      {"process_backlog", kRxEntry},
      {"napi_busy_loop", kRxEntry},
      {"__napi_poll", kRxEntry},
      {"__napi_poll.constprop.0", kRxEntry},
      {"__dev_queue_xmit", kTxEntry},
      {"__dev_queue_xmit.cold", kTxEntry},
      {"net_tx_action", kTxEntry},
      {"dev_direct_xmit", kTxEntry},
      {"__dev_direct_xmit", kTxEntry},
      {"udp_sendmsg", kSendEntry},
      {"____sys_sendmsg", kSendEntry},
      {"tcp_recvmsg", kReceiveEntry},
      {"tcp_write_timer", kTimerEntry},
      {"tcp_delack_timer_handler", kTimerEntry},
      {"tcp_pace_kick", kTimerEntry},
      {"do_idle", kIdleFunction},
      {"cpuidle_enter_state", kIdleFunction},
      {"intel_idle_irq", kIdleFunction},
      {"asm_sysvec_apic_timer_interrupt", kInterruptEntry},
      {"do_softirq.part.0", kInterruptEntry},
      {"do_softirq_own_stack", kInterruptEntry},
      {"el1h_64_irq_handler", kInterruptEntry},
      {"handle_softirqs", kInterruptEntry},
  };
  for (const auto& c : cases) EXPECT_EQ(roles_of_name(c.name), c.roles) << c.name;
}

TEST(RolesOfName, LookAlikesHaveNone) {
  for (const char* name : {"", ".", "memcpy", "tcp_sendmsg_locked", "dev_queue_xmit_nit", "sch_direct_xmit",
                           "tcp_reset_keepalive_timer", "raise_softirq", "idle_cpu",
                           "select_idle_core.isra.0", "tick_nohz_idle_enter", "net_rx_action_old",
                           "irq_exit_to_user", "tun_napi_poll", "_raw_spin_lock_irqsave"}) {
    EXPECT_EQ(roles_of_name(name), kNoRole) << name;
  }
}

TEST(RolesOfSymbol, OnlyKernelNamesCount) {
  EXPECT_EQ(roles_of_symbol({"my_sendmsg", "bpf", SymbolKind::bpf}), kNoRole);
  EXPECT_EQ(roles_of_symbol({"udp_sendmsg", "", SymbolKind::unknown}), kNoRole);
  EXPECT_EQ(roles_of_symbol({"udp_sendmsg", "nf", SymbolKind::kernel}), kSendEntry);
  EXPECT_EQ(roles_of_symbol({kOwnCostName, "", SymbolKind::own}), kOwnCode);
  EXPECT_EQ(roles_of_symbol({kOtherNettollName, "bpf", SymbolKind::bpf}), kOtherTracer);
  EXPECT_EQ(roles_of_symbol({kOtherNettollName, "", SymbolKind::kernel}), kNoRole);
  EXPECT_EQ(roles_of_symbol({kUserName, "", SymbolKind::user}), kUserCode);
}

TEST(PathOf, InnermostEntryPointWins) {
  const struct {
    const char* what;
    Stack stack;
    Path path;
  } cases[] = {
      {"copy while receiving", {"memcpy", "ip_rcv", "net_rx_action", "handle_softirqs"}, Path::rx},
      {"copy while sending", {"memcpy", "dev_hard_start_xmit", "__dev_queue_xmit", "udp_sendmsg"}, Path::tx},
      {"forwarding",
       {"memcpy", "__dev_queue_xmit", "ip_forward", "ip_rcv", "net_rx_action", "handle_softirqs"},
       Path::tx},
      {"softirq on top of a transmit",
       {"udp_rcv", "process_backlog", "__napi_poll", "net_rx_action", "handle_softirqs", "do_softirq.part.0",
        "__local_bh_enable_ip", "__dev_queue_xmit", "udp_sendmsg"},
       Path::rx},
      {"above the device", {"ip_make_skb", "udp_sendmsg", "inet_sendmsg", "__sys_sendto"}, Path::send},
      {"receive", {"__skb_recv_udp", "udp_recvmsg", "sock_recvmsg"}, Path::receive},
      {"acknowledgement while receiving",
       {"fq_enqueue", "__dev_queue_xmit", "__tcp_transmit_skb", "tcp_recvmsg"},
       Path::tx},
      {"timer",
       {"tcp_retransmit_timer", "tcp_write_timer", "call_timer_fn", "handle_softirqs", "do_idle"},
       Path::timer},
      {"timer that sends", {"__dev_queue_xmit", "tcp_write_timer", "handle_softirqs"}, Path::tx},
      {"threaded NAPI", {"napi_gro_receive", "napi_threaded_poll", "kthread"}, Path::rx},
      {"busy polling", {"napi_gro_receive", "napi_busy_loop", "sock_poll"}, Path::rx},
      {"the entry point itself", {"net_rx_action"}, Path::rx},
      {"no network", {"ext4_file_write_iter", "vfs_write", "do_syscall_64"}, Path::other},
      {"unknown", {kUnknownName}, Path::other},
      {"nothing", {}, Path::other},
  };
  for (const auto& c : cases) EXPECT_EQ(classify(c.stack), c.path) << c.what;
}

TEST(PathOf, IdleIsJudgedByTheStack) {
  const struct {
    const char* what;
    Stack stack;
    Path path;
  } cases[] = {
      {"halted", {"pv_native_safe_halt", "default_idle", "do_idle", "cpu_startup_entry"}, Path::idle},
      {"a truncated stack", {"intel_idle", "cpuidle_enter_state"}, Path::idle},
      {"work of the idle loop", {"tick_nohz_idle_enter", "do_idle", "cpu_startup_entry"}, Path::idle},
      {"softirq over idle",
       {"ip_rcv", "net_rx_action", "handle_softirqs", "irq_exit_rcu", "common_interrupt",
        "asm_common_interrupt", "pv_native_safe_halt", "do_idle"},
       Path::rx},
      {"another softirq over idle",
       {"rcu_core", "handle_softirqs", "__irq_exit_rcu", "asm_sysvec_apic_timer_interrupt", "do_idle"},
       Path::other},
      {"an interrupt over idle, arm64",
       {"gic_handle_irq", "el1h_64_irq", "cpu_do_idle", "do_idle"},
       Path::other},
      {"network interrupt handler over idle",
       {"napi_schedule_prep", "virtnet_poll_tx", "asm_common_interrupt", "default_idle", "do_idle"},
       Path::other},
      {"backlog flushed by the idle loop itself",
       {"process_backlog", "net_rx_action", "handle_softirqs", "do_softirq_post_smp_call_flush", "do_idle"},
       Path::rx},
  };
  for (const auto& c : cases) EXPECT_EQ(classify(c.stack), c.path) << c.what;
}

TEST(PathOf, OwnCostAndUserMode) {
  EXPECT_EQ(classify({kOwnCostName, "ip_rcv", "net_rx_action"}), Path::own);
  // A map helper that our program called is ours.
  EXPECT_EQ(classify({"htab_map_update_elem", kOwnCostName, "kfree_skb", "net_rx_action"}), Path::own);
  // An interrupt that landed on our program is not.
  EXPECT_EQ(classify({"ip_rcv", "net_rx_action", "handle_softirqs", "asm_common_interrupt", kOwnCostName,
                      "__dev_queue_xmit"}),
            Path::rx);
  EXPECT_EQ(classify({"rcu_core", "handle_softirqs", "asm_common_interrupt", kOwnCostName, "vfs_write"}),
            Path::other);
  EXPECT_EQ(classify({kUserName}), Path::user);
  EXPECT_EQ(classify({"copy_from_user", "udp_sendmsg", kUserName}), Path::send);
}

/// Path::own is this nettoll's cost alone, and another's is no cost of what it watches.
TEST(PathOf, AnotherNettollIsNoNetworkWork) {
  ProfileBuilder b({"cycles"}, 1);
  const uint32_t other = b.symbol(kOtherNettollName, "bpf", SymbolKind::bpf);
  const auto path = [&](std::vector<uint32_t> stack) {
    return path_of(stack, roles_of_symbols(b.profile.symbols));
  };
  const uint32_t rx = b.symbol("net_rx_action"), rcv = b.symbol("ip_rcv"), idle = b.symbol("do_idle"),
                 interrupt = b.symbol("asm_sysvec_apic_timer_interrupt");
  EXPECT_EQ(path({other, rcv, rx}), Path::other);
  EXPECT_EQ(path({other, idle}), Path::other);
  EXPECT_EQ(path({rcv, rx, other}), Path::rx);
  EXPECT_EQ(path({interrupt, other, rcv, rx}), Path::rx) << "an interrupt's work, as in any other code";
}

}  // namespace
}  // namespace nettoll
