// SPDX-License-Identifier: Apache-2.0
// Which frames are nettoll's own cost.
//
// A tracer shows up in its own samples: its BPF programs, the helpers they call, and the kernel code that
// calls them. None of it is the traced function's cost. In one stack, from the leaf outwards:
// - Everything from the leaf to one of our programs, and the run of dispatch frames right behind it
//   (bpf_trace_run*, __traceiter_*, bpf_trampoline_* ...), is ours.
// - Without a program on the stack a leaf inside dispatch code is ours where that code belongs to us alone as
//   far as can be seen: a tracepoint of ours, a trampoline of ours, and no foreign BPF program on the stack.
// - An interrupt that arrived while our program ran does its own work: what it runs is not ours, so only the
//   frames of the interrupted program leave the stack.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace nettoll {

/// Our own code by the names that kallsyms shows.
struct OwnCode {
  /// Programs, and trampolines where their names are known, exactly as in kallsyms:
  /// "bpf_prog_0123456789abcdef_nt_kfree_skb", "bpf_trampoline_6442507883". Trampolines are also learned
  /// from stacks that hold one of our programs.
  std::vector<std::string> programs;
  /// Tracepoints that our programs hang on, with or without their system: "skb:kfree_skb".
  std::vector<std::string> tracepoints;
};

}  // namespace nettoll
