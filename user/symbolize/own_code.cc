// SPDX-License-Identifier: Apache-2.0
#include "symbolize/own_code.h"

#include <algorithm>
#include <array>
#include <utility>

#include "symbolize/symbol_names.h"

namespace nettoll {
namespace {

/// __bpf_trace_<class> and perf_trace_<class> are named by the event class. Tracepoints that share one
/// (DEFINE_EVENT in include/trace/events/{net,irq,tcp,sock}.h); all others are their own class.
constexpr std::pair<std::string_view, std::string_view> kClasses[] = {
    {"net_dev_queue", "net_dev_template"},
    {"netif_receive_skb", "net_dev_template"},
    {"netif_rx", "net_dev_template"},
    {"napi_gro_frags_entry", "net_dev_rx_verbose_template"},
    {"napi_gro_receive_entry", "net_dev_rx_verbose_template"},
    {"netif_receive_skb_entry", "net_dev_rx_verbose_template"},
    {"netif_receive_skb_list_entry", "net_dev_rx_verbose_template"},
    {"netif_rx_entry", "net_dev_rx_verbose_template"},
    {"netif_rx_ni_entry", "net_dev_rx_verbose_template"},
    {"napi_gro_frags_exit", "net_dev_rx_exit_template"},
    {"napi_gro_receive_exit", "net_dev_rx_exit_template"},
    {"netif_receive_skb_exit", "net_dev_rx_exit_template"},
    {"netif_receive_skb_list_exit", "net_dev_rx_exit_template"},
    {"netif_rx_exit", "net_dev_rx_exit_template"},
    {"netif_rx_ni_exit", "net_dev_rx_exit_template"},
    {"softirq_entry", "softirq"},
    {"softirq_exit", "softirq"},
    {"softirq_raise", "softirq"},
    {"tcp_receive_reset", "tcp_event_sk"},
    {"tcp_destroy_sock", "tcp_event_sk"},
    {"tcp_rcv_space_adjust", "tcp_event_sk"},
    {"tcp_bad_csum", "tcp_event_skb"},
    {"sock_send_length", "sock_msg_length"},
    {"sock_recv_length", "sock_msg_length"},
};

/// Dispatch code that has no event in its name. Kprobes reach a program through an int3, an optimised
/// jump, ftrace or an fprobe (kernel/kprobes.c, kernel/trace/{trace_kprobe,bpf_trace,fprobe}.c).
constexpr std::string_view kDispatchNames[] = {
    "trace_call_bpf",
    "perf_trace_run_bpf_submit",
    "kprobe_ftrace_handler",
    "kprobe_dispatcher",
    "kprobe_perf_func",
    "kretprobe_dispatcher",
    "kretprobe_perf_func",
    "kprobe_int3_handler",
    "kprobe_breakpoint_handler",
    "kprobe_multi_link_prog_run",
    "kprobe_multi_link_handler",
    "kprobe_multi_link_exit_handler",
    "aggr_pre_handler",
    "opt_pre_handler",
    "optimized_callback",
    "fprobe_handler",
    "__fprobe_handler",
    "fprobe_entry",
    "fprobe_exit_handler",
    "ftrace_trampoline",
    "ftrace_caller",
    "ftrace_regs_caller",
    "ftrace_ops_list_func",
    "arch_ftrace_ops_list_func",
    "ftrace_ops_assist_func",
    "asm_exc_int3",
    "exc_int3",
    "do_int3",
};
constexpr std::string_view kDispatchPrefixes[] = {"__bpf_prog_enter", "__bpf_prog_exit", "__bpf_prog_run",
                                                  "bpf_dispatcher_"};
constexpr std::string_view kHookPrefixes[] = {"__traceiter_", "__bpf_trace_", "perf_trace_",
                                              "__SCT__tp_func_"};

/// What the names of all our programs begin with.
constexpr std::string_view kProgramPrefix = "nt_";

constexpr std::string_view kHelperNames[] = {
    "migrate_disable",        "migrate_enable",    "__rcu_read_lock",  "__rcu_read_unlock",
    "rcu_read_unlock_strict", "preempt_count_add", "preempt_count_sub"};

/// Entries of interrupts (arch/*/kernel/entry*, irq.c) and of softirqs (kernel/softirq.c).
constexpr std::string_view kInterruptNames[] = {
    "asm_common_interrupt",
    "common_interrupt",
    "__common_interrupt",
    "asm_call_irq_on_stack",
    "asm_call_sysvec_on_stack",
    "do_IRQ",
    "el1h_64_irq",
    "el1h_64_irq_handler",
    "el1_interrupt",
    "el1_irq",
    "call_on_irq_stack",
    "do_interrupt_handler",
    "handle_riscv_irq",
    "do_irq",
    "irq_exit",
    "irq_exit_rcu",
    "__irq_exit_rcu",
    "do_softirq",
    "__do_softirq",
    "handle_softirqs",
    "do_softirq_own_stack",
};
constexpr std::string_view kInterruptPrefixes[] = {"asm_sysvec_", "sysvec_", "__sysvec_"};

template <typename List>
bool is_one_of(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}
template <typename List>
bool starts_with_one_of(const List& list, std::string_view name) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// bpf_trace_run<N>, but not bpf_trace_run_something.
bool is_trace_run(std::string_view name) {
  constexpr std::string_view kPrefix = "bpf_trace_run";
  return name.starts_with(kPrefix) && name.size() > kPrefix.size() &&
         std::all_of(name.begin() + kPrefix.size(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

OwnCodeNames::OwnCodeNames(OwnCode own) {
  set_programs(own.programs);
  for (const std::string& whole : own.tracepoints) {
    const std::string event = whole.substr(whole.find(':') + 1);
    for (const auto& [name, event_class] : kClasses) {
      if (name == event) hooks_.emplace(event_class);
    }
    hooks_.insert(event);
  }
}

void OwnCodeNames::set_programs(const std::vector<std::string>& kallsyms_names) {
  programs_.clear();
  for (const std::string& name : kallsyms_names) {
    if (is_bpf_trampoline(name))
      add_trampoline(name);
    else
      programs_.insert(name);
  }
}

void OwnCodeNames::add_trampoline(std::string_view name) {
  trampolines_.emplace(without_image_number(name));
}

FrameRoles OwnCodeNames::hook(std::string_view event) const {
  return hooks_.contains(std::string(event)) ? kDispatch | kOwnHook : kDispatch | kForeignHook;
}

FrameRoles OwnCodeNames::roles_of(const Hit& hit) const {
  if (hit.kind == SymbolKind::bpf) {
    if (is_bpf_trampoline(hit.name))
      return kDispatch | kTrampoline |
             (trampolines_.contains(std::string(without_image_number(hit.name))) ? kOwnHook : kForeignHook);
    if (programs_.contains(std::string(hit.name))) return kOwnProgram;
    if (hit.name.starts_with("bpf_dispatcher_")) return kDispatch;
    const auto program = parse_bpf_program(hit.name);
    if (program && program->name.starts_with(kProgramPrefix)) return kForeignProgram | kOtherNettoll;
    return kForeignProgram;
  }
  const std::string_view name = base_name(hit.name);
  if (is_trace_run(name)) return kDispatch | kTraceRun;
  if (is_one_of(kDispatchNames, name) || starts_with_one_of(kDispatchPrefixes, name)) return kDispatch;
  for (const std::string_view prefix : kHookPrefixes) {
    if (name.starts_with(prefix)) return hook(name.substr(prefix.size()));
  }
  if (is_one_of(kHelperNames, name)) return kDispatchHelper;
  if (is_one_of(kInterruptNames, name) || starts_with_one_of(kInterruptPrefixes, name)) return kInterrupt;
  return 0;
}

}  // namespace nettoll
