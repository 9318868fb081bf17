// SPDX-License-Identifier: Apache-2.0
#include "correlate/path_rules.h"
#include "model/symbol_identity.h"

#include <algorithm>
#include <iterator>

namespace nettoll {
namespace {

enum class Match : uint8_t { whole, prefix, suffix };

struct NameRule {
  std::string_view text;
  Match match;
  uint16_t role;
};

// clang-format off
constexpr NameRule kRules[] = {
    // net/core/dev.c. __napi_poll is its own function from 5.12 on, napi_threaded_poll_loop from 6.6,
    // __napi_busy_loop from 6.9; run_backlog_napi (6.10) is process_backlog's thread.
    {"net_rx_action", Match::whole, kRxEntry},
    {"napi_threaded_poll", Match::prefix, kRxEntry},
    {"run_backlog_napi", Match::whole, kRxEntry},
    {"process_backlog", Match::whole, kRxEntry},
    {"napi_busy_loop", Match::prefix, kRxEntry},
    {"__napi_busy_loop", Match::whole, kRxEntry},
    {"__napi_poll", Match::whole, kRxEntry},
    {"napi_poll", Match::whole, kRxEntry},
    {"__dev_queue_xmit", Match::whole, kTxEntry},
    {"dev_queue_xmit", Match::whole, kTxEntry},
    {"net_tx_action", Match::whole, kTxEntry},
    {"dev_direct_xmit", Match::whole, kTxEntry},
    {"__dev_direct_xmit", Match::whole, kTxEntry},
    // Every layer has its own: __sys_sendmsg, sock_sendmsg, inet_sendmsg, udp_sendmsg. They nest, which
    // does not matter. __sys_sendto and write(2) reach them too.
    {"_sendmsg", Match::suffix, kSendEntry},
    {"_recvmsg", Match::suffix, kReceiveEntry},
    // net/ipv4/tcp_timer.c, tcp_output.c, inet_connection_sock.c, inet_timewait_sock.c.
    {"tcp_write_timer", Match::whole, kTimerEntry},
    {"tcp_write_timer_handler", Match::whole, kTimerEntry},
    {"tcp_keepalive_timer", Match::whole, kTimerEntry},
    {"tcp_delack_timer", Match::whole, kTimerEntry},
    {"tcp_delack_timer_handler", Match::whole, kTimerEntry},
    {"tcp_compressed_ack_kick", Match::whole, kTimerEntry},
    {"tcp_pace_kick", Match::whole, kTimerEntry},
    {"reqsk_timer_handler", Match::whole, kTimerEntry},
    {"tw_timer_handler", Match::whole, kTimerEntry},

    // kernel/sched/idle.c and what it calls to halt.
    {"cpu_startup_entry", Match::whole, kIdleFunction},
    {"do_idle", Match::whole, kIdleFunction},
    {"cpu_idle_poll", Match::whole, kIdleFunction},
    {"call_cpuidle", Match::whole, kIdleFunction},
    {"cpuidle_idle_call", Match::whole, kIdleFunction},
    {"cpuidle_enter", Match::prefix, kIdleFunction},
    {"default_idle", Match::prefix, kIdleFunction},
    {"arch_cpu_idle", Match::whole, kIdleFunction},
    {"cpu_do_idle", Match::whole, kIdleFunction},
    {"poll_idle", Match::whole, kIdleFunction},
    {"intel_idle", Match::prefix, kIdleFunction},
    {"acpi_idle", Match::prefix, kIdleFunction},
    {"acpi_safe_halt", Match::whole, kIdleFunction},
    {"acpi_processor_ffh_cstate_enter", Match::whole, kIdleFunction},
    {"mwait_idle", Match::prefix, kIdleFunction},
    {"amd_e400_idle", Match::whole, kIdleFunction},
    {"native_safe_halt", Match::whole, kIdleFunction},
    {"pv_native_safe_halt", Match::whole, kIdleFunction},
    {"xen_safe_halt", Match::whole, kIdleFunction},
    {"psci_cpu_suspend_enter", Match::whole, kIdleFunction},
    {"psci_enter_idle_state", Match::whole, kIdleFunction},
    {"sbi_cpuidle_enter_state", Match::whole, kIdleFunction},

    // x86, arch/x86/include/asm/idtentry.h; the fred_ forms from 6.9 on, smp_ and do_IRQ before 5.8.
    {"asm_sysvec_", Match::prefix, kInterruptEntry},
    {"sysvec_", Match::prefix, kInterruptEntry},
    {"__sysvec_", Match::prefix, kInterruptEntry},
    {"fred_sysvec_", Match::prefix, kInterruptEntry},
    {"fred_extint", Match::whole, kInterruptEntry},
    {"asm_common_interrupt", Match::whole, kInterruptEntry},
    {"common_interrupt", Match::prefix, kInterruptEntry},
    {"__common_interrupt", Match::whole, kInterruptEntry},
    {"asm_call_irq_on_stack", Match::whole, kInterruptEntry},
    {"asm_call_sysvec_on_stack", Match::whole, kInterruptEntry},
    {"asm_exc_nmi", Match::whole, kInterruptEntry},
    {"exc_nmi", Match::whole, kInterruptEntry},
    {"asm_exc_xen_hypervisor_callback", Match::whole, kInterruptEntry},
    {"xen_pv_evtchn_do_upcall", Match::whole, kInterruptEntry},
    // arm64: arch/arm64/kernel/entry.S (el1_irq up to 5.12).
    {"el1_irq", Match::whole, kInterruptEntry},
    {"el1h_64_irq", Match::prefix, kInterruptEntry},
    {"el1h_64_fiq", Match::prefix, kInterruptEntry},
    {"el1_interrupt", Match::whole, kInterruptEntry},
    {"call_on_irq_stack", Match::whole, kInterruptEntry},
    {"do_interrupt_handler", Match::whole, kInterruptEntry},
    {"gic_handle_irq", Match::whole, kInterruptEntry},
    // riscv64: arch/riscv/kernel/traps.c, irq.c.
    {"do_irq", Match::whole, kInterruptEntry},
    {"handle_riscv_irq", Match::whole, kInterruptEntry},
    {"riscv_intc_irq", Match::whole, kInterruptEntry},
    // kernel/softirq.c; handle_softirqs from 6.10 on.
    {"irq_exit", Match::whole, kInterruptEntry},
    {"irq_exit_rcu", Match::whole, kInterruptEntry},
    {"__irq_exit_rcu", Match::whole, kInterruptEntry},
    {"handle_softirqs", Match::whole, kInterruptEntry},
    {"__do_softirq", Match::whole, kInterruptEntry},
    {"do_softirq", Match::prefix, kInterruptEntry},
};
// clang-format on

bool matches(const NameRule& rule, std::string_view name) {
  switch (rule.match) {
    case Match::whole:
      return name == rule.text;
    case Match::prefix:
      return name.starts_with(rule.text);
    case Match::suffix:
      return name.ends_with(rule.text);
  }
  return false;
}

}  // namespace

uint16_t roles_of_name(std::string_view name) {
  // Parts and copies are the same function as far as its place in a path goes.
  name = source_name(name);
  uint16_t roles = kNoRole;
  for (const auto& rule : kRules) {
    if (matches(rule, name)) roles |= rule.role;
  }
  return roles;
}

uint16_t roles_of_symbol(const Symbol& symbol) {
  switch (symbol.kind) {
    case SymbolKind::kernel:
      return roles_of_name(symbol.name);
    case SymbolKind::own:
      return kOwnCode;
    case SymbolKind::user:
      return kUserCode;
    case SymbolKind::bpf:
      return symbol.name == kOtherNettollName ? kOtherTracer : kNoRole;
    case SymbolKind::unknown:
      return kNoRole;
  }
  return kNoRole;
}

std::vector<uint16_t> roles_of_symbols(std::span<const Symbol> symbols) {
  std::vector<uint16_t> roles;
  roles.reserve(symbols.size());
  std::transform(symbols.begin(), symbols.end(), std::back_inserter(roles), roles_of_symbol);
  return roles;
}

Path path_of(std::span<const uint32_t> stack, std::span<const uint16_t> roles) {
  if (!stack.empty() && (roles[stack.front()] & kUserCode)) return Path::user;
  bool interrupted = false;
  for (const uint32_t symbol : stack) {
    const uint16_t role = roles[symbol];
    if (role == kNoRole) continue;
    if (role & kRxEntry) return Path::rx;
    if (role & kTxEntry) return Path::tx;
    if (role & kSendEntry) return Path::send;
    if (role & kReceiveEntry) return Path::receive;
    if (role & kTimerEntry) return Path::timer;
    if ((role & kOwnCode) && !interrupted) return Path::own;
    if ((role & kOtherTracer) && !interrupted) return Path::other;
    if ((role & kIdleFunction) && !interrupted) return Path::idle;
    if (role & kInterruptEntry) interrupted = true;
  }
  return Path::other;
}

}  // namespace nettoll
