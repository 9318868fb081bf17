// SPDX-License-Identifier: Apache-2.0
// Loads one small program and attaches it at the entry of a function, or at a tracepoint. Thin: each call is
// one thing that the kernel does or refuses.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "collect/attach_plan.h"

struct bpf_insn;

namespace nettoll {

using ProgramCode = std::span<const bpf_insn>;

/// A program that returns 0 at once, for trying.
ProgramCode empty_program();

/// Loads `code` as a program for one method; `target` matters to fentry alone. `name` is cut to what the
/// kernel takes.
Result<UniqueFd> load_program(Method method, ProgramCode code, const std::string& name,
                              const BtfTarget& target = {});

/// The link of an fentry program; the function is the one that it was loaded for.
Result<UniqueFd> attach_fentry(int program);
/// The link of a raw tracepoint program.
Result<UniqueFd> attach_tracepoint(int program, const std::string& tracepoint);

/// A kprobe of our own at an address (perf_event_open(2) on the kprobe PMU, since 4.17) with its program. It
/// is opened on `cpu`, which must be online, and runs on all. `link` is empty on kernels before 5.15, where
/// the event holds the program.
struct Kprobe {
  UniqueFd event;
  UniqueFd link;
};
Result<Kprobe> attach_kprobe(int program, uint64_t address, uint32_t cpu);

/// One link for many functions (5.18 and later with CONFIG_FPROBE); `cookies` is what bpf_get_attach_cookie
/// gives in each.
Result<UniqueFd> attach_kprobe_multi(int program, std::span<const uint64_t> addresses,
                                     std::span<const uint64_t> cookies);

/// Runs that the link's kprobes missed because of recursion (bpf_link_info, since 6.7; 0 on older kernels,
/// which do not tell).
uint64_t missed_by_kprobe(int link);
uint64_t missed_by_kprobe_multi(int link);

}  // namespace nettoll
