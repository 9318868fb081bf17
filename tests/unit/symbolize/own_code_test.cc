// SPDX-License-Identifier: Apache-2.0
#include "symbolize/own_code.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

constexpr FrameRoles kOwnDispatch = kDispatch | kOwnHook;
constexpr FrameRoles kForeignDispatch = kDispatch | kForeignHook;

TEST(OwnCodeNames, TellRolesByName) {
  const OwnCodeNames names({{"bpf_prog_0123456789abcdef_nt_kfree_skb", "bpf_trampoline_17"},
                            {"skb:kfree_skb", "net_dev_queue", "irq:softirq_entry"}});
  const struct {
    const char* name;
    SymbolKind kind;
    FrameRoles roles;
  } cases[] = {
      {"bpf_prog_0123456789abcdef_nt_kfree_skb", SymbolKind::bpf, kOwnProgram},
      // The same name with another tag, and a longer one, are programs of another nettoll.
      {"bpf_prog_1123456789abcdef_nt_kfree_skb", SymbolKind::bpf, kForeignProgram | kOtherNettoll},
      {"bpf_prog_0123456789abcdef_nt_kfree_skb2", SymbolKind::bpf, kForeignProgram | kOtherNettoll},
      {"bpf_prog_0123456789abcdef_count", SymbolKind::bpf, kForeignProgram},
      {"nt_kfree_skb", SymbolKind::kernel, 0},
      {"bpf_prog_ab4bc4523b7fe6b4", SymbolKind::bpf, kForeignProgram},
      {"bpf_trampoline_17", SymbolKind::bpf, kOwnDispatch | kTrampoline},
      {"bpf_trampoline_17_3", SymbolKind::bpf, kOwnDispatch | kTrampoline},
      {"bpf_trampoline_18_17", SymbolKind::bpf, kForeignDispatch | kTrampoline},
      {"bpf_trampoline_18", SymbolKind::bpf, kForeignDispatch | kTrampoline},
      {"bpf_dispatcher_xdp", SymbolKind::bpf, kDispatch},
      {"bpf_dispatcher_nop_func", SymbolKind::kernel, kDispatch},
      {"bpf_trace_run2", SymbolKind::kernel, kDispatch | kTraceRun},
      {"bpf_trace_run12", SymbolKind::kernel, kDispatch | kTraceRun},
      {"bpf_trace_run", SymbolKind::kernel, 0},
      {"bpf_trace_run_x", SymbolKind::kernel, 0},
      {"__traceiter_kfree_skb", SymbolKind::kernel, kOwnDispatch},
      {"__traceiter_napi_poll", SymbolKind::kernel, kForeignDispatch},
      {"__bpf_trace_kfree_skb", SymbolKind::kernel, kOwnDispatch},
      {"__bpf_trace_net_dev_template", SymbolKind::kernel, kOwnDispatch},
      {"__bpf_trace_softirq", SymbolKind::kernel, kOwnDispatch},
      {"__bpf_trace_tcp_event_sk", SymbolKind::kernel, kForeignDispatch},
      {"__traceiter_netif_rx", SymbolKind::kernel, kForeignDispatch},
      {"perf_trace_kfree_skb", SymbolKind::kernel, kOwnDispatch},
      {"perf_trace_kfree_skb.cold", SymbolKind::kernel, kOwnDispatch},
      {"perf_trace_run_bpf_submit", SymbolKind::kernel, kDispatch},
      {"trace_call_bpf", SymbolKind::kernel, kDispatch},
      {"__bpf_prog_enter", SymbolKind::kernel, kDispatch},
      {"__bpf_prog_enter_sleepable_recur", SymbolKind::kernel, kDispatch},
      {"__bpf_prog_exit_recur", SymbolKind::kernel, kDispatch},
      {"kprobe_ftrace_handler", SymbolKind::kernel, kDispatch},
      {"ftrace_trampoline", SymbolKind::kernel, kDispatch},
      {"migrate_disable", SymbolKind::kernel, kDispatchHelper},
      {"__rcu_read_lock", SymbolKind::kernel, kDispatchHelper},
      {"migrate_disable_switch", SymbolKind::kernel, 0},
      {"asm_sysvec_apic_timer_interrupt", SymbolKind::kernel, kInterrupt},
      {"do_softirq.part.0", SymbolKind::kernel, kInterrupt},
      {"el1h_64_irq", SymbolKind::kernel, kInterrupt},
      {"kfree_skb_reason", SymbolKind::kernel, 0},
      {"net_rx_action", SymbolKind::kernel, 0},
  };
  for (const auto& c : cases) EXPECT_EQ(names.roles_of({c.name, "", 0, c.kind}), c.roles) << c.name;
}

TEST(OwnCodeNames, KnowNothingByDefault) {
  OwnCodeNames names;
  EXPECT_FALSE(names.has_tracepoints());
  EXPECT_EQ(names.roles_of({"__traceiter_kfree_skb", "", 0, SymbolKind::kernel}), kForeignDispatch);
  EXPECT_EQ(names.roles_of({"bpf_trampoline_17", "bpf", 0, SymbolKind::bpf}), kForeignDispatch | kTrampoline);
  names.add_trampoline("bpf_trampoline_17");
  EXPECT_EQ(names.roles_of({"bpf_trampoline_17", "bpf", 0, SymbolKind::bpf}), kOwnDispatch | kTrampoline);
  names.set_programs({"bpf_prog_ab4bc4523b7fe6b4"});
  EXPECT_EQ(names.roles_of({"bpf_prog_ab4bc4523b7fe6b4", "bpf", 0, SymbolKind::bpf}), kOwnProgram);
  names.set_programs({});
  EXPECT_EQ(names.roles_of({"bpf_prog_ab4bc4523b7fe6b4", "bpf", 0, SymbolKind::bpf}), kForeignProgram);
}

}  // namespace
}  // namespace nettoll
