// SPDX-License-Identifier: Apache-2.0
// Who a function is to nettoll's own cost.
//
// A tracer shows up in its own samples: its BPF programs, the helpers they call, and the kernel code that
// calls them. This file tells such functions by their names; own_frames.h applies that to a stack.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "symbolize/kernel_symbols.h"

namespace nettoll {

/// Our own code by the names that kallsyms shows.
struct OwnCode {
  /// Programs, and trampolines where their names are known, exactly as in kallsyms:
  /// "bpf_prog_0123456789abcdef_nt_kfree_skb", "bpf_trampoline_6442507883". Trampolines are also learned from
  /// stacks that hold one of our programs.
  std::vector<std::string> programs;
  /// Tracepoints that our programs hang on, with or without their system: "skb:kfree_skb".
  std::vector<std::string> tracepoints;
};

/// What a function does around BPF programs: bits.
using FrameRoles = uint16_t;
inline constexpr FrameRoles kOwnProgram = 1;
inline constexpr FrameRoles kForeignProgram = 2;
/// Calls programs: bpf_trace_run*, __traceiter_*, bpf_trampoline_*, a kprobe's handlers ...
inline constexpr FrameRoles kDispatch = 4;
/// Dispatch that programs of ours certainly hang on: one of our tracepoints or trampolines.
inline constexpr FrameRoles kOwnHook = 8;
/// Dispatch that belongs to a tracepoint or trampoline that is not ours.
inline constexpr FrameRoles kForeignHook = 16;
inline constexpr FrameRoles kTrampoline = 32;
/// Called by dispatch code around each program: migrate_disable, __rcu_read_lock ...
inline constexpr FrameRoles kDispatchHelper = 64;
/// Where an interrupt or a softirq begins: what runs inside is no work of what it interrupted.
inline constexpr FrameRoles kInterrupt = 128;
/// bpf_trace_run<N>: dispatch of some tracepoint; which one is not always on the stack, for its caller may
/// have jumped to it.
inline constexpr FrameRoles kTraceRun = 256;
/// A program of another nettoll, told by its name; foreign too.
inline constexpr FrameRoles kOtherNettoll = 512;

/// Tells roles by name.
class OwnCodeNames {
 public:
  explicit OwnCodeNames(OwnCode own = {});

  /// The roles of a function.
  FrameRoles roles_of(const Hit& hit) const;
  /// Whether any tracepoint of ours is known.
  bool has_tracepoints() const { return !hooks_.empty(); }
  /// Notes a trampoline that was seen to call a program of ours.
  void add_trampoline(std::string_view name);
  void set_programs(const std::vector<std::string>& kallsyms_names);

 private:
  FrameRoles hook(std::string_view event) const;

  std::unordered_set<std::string> programs_;
  std::unordered_set<std::string> trampolines_;
  /// Our tracepoints and their event classes.
  std::unordered_set<std::string> hooks_;
};

}  // namespace nettoll
