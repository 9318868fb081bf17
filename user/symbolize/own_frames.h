// SPDX-License-Identifier: Apache-2.0
// Takes nettoll's own frames out of a stack.
//
// None of what we add is the traced function's cost. In one stack, from the leaf outwards:
// - Everything from the leaf to one of our programs, and the run of dispatch frames right behind it, is ours:
// it
//   becomes one frame.
// - Without a program on the stack a leaf inside dispatch code is ours as far as can be seen: it is that of a
//   tracepoint or trampoline of ours (or plain bpf_trace_run* while we hang on tracepoints), and no foreign
//   BPF program is on the stack.
// - The same holds for the programs of another nettoll, which become a frame of their own.
// - An interrupt that arrived while our program ran does its own work. What runs inside it is not ours: only
// the
//   frames of the interrupted program leave the stack.
// - A trampoline of ours that called the traced function through is taken out, and its callees stay.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "symbolize/own_code.h"

namespace nettoll {

/// True where cut_own_frames() may change a stack whose frames have these roles together.
inline bool may_hold_own_frames(FrameRoles all) {
  return (all & (kOwnProgram | kOtherNettoll | kDispatch)) != 0;
}

/// Writes `stack` without our frames into `out`. `roles[i]` belongs to `stack[i]`; `own` is the frame that
/// stands for all of our cost, `other` that for another nettoll's; `has_tracepoints` is whether programs of
/// ours hang on tracepoints.
void cut_own_frames(std::span<const uint32_t> stack, std::span<const FrameRoles> roles, uint32_t own,
                    uint32_t other, bool has_tracepoints, std::vector<uint32_t>& out);

/// Places in the stack of trampolines that called one of our programs.
std::vector<size_t> trampolines_of_own_programs(std::span<const FrameRoles> roles);

}  // namespace nettoll
