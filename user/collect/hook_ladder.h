// SPDX-License-Identifier: Apache-2.0
// Takes the rows of an attach plan down their ladders until each is hooked or left to samples.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "collect/attach_plan.h"
#include "collect/hook.h"

namespace nettoll {

/// One hooked row: its program, and what holds it in place. Detached when it goes. Rows of kprobe.multi have
/// neither: MultiHooks holds them all.
struct HookedRow {
  uint32_t row = 0;
  UniqueFd program;
  UniqueFd link;                ///< fentry, tracepoint
  std::vector<Kprobe> kprobes;  ///< one for each entry of the function
};

/// The links of the one kprobe.multi program, whose cookie is the row.
struct MultiHooks {
  int program = -1;  ///< borrowed; -1 where the plan has no row for it
  std::vector<UniqueFd> links;
};

/// What the programs are made from.
struct HookTemplates {
  /// Counts into the slot that is its row.
  ProgramCode count;
  /// A CPU that is online.
  uint32_t cpu = 0;
};

/// Loads and attaches a program for each of `wanted` (numbers of rows) that needs a hook; those of
/// kprobe.multi together, and their links are added to `multi`. A row that a method refuses goes on to its
/// next step, with the kernel's reason.
std::vector<HookedRow> attach_rows(std::vector<PlanRow>& rows, std::span<const uint32_t> wanted,
                                   const HookTemplates& templates, MultiHooks& multi);

/// Attaches the programs of `hooked` again, whose links are gone. Those that the kernel does not attach a
/// second time (fentry before 5.15) are taken out of it; the numbers of their rows are what is returned.
std::vector<uint32_t> attach_again(std::vector<PlanRow>& rows, std::vector<HookedRow>& hooked,
                                   const HookTemplates& templates, MultiHooks& multi);

/// The template's instructions with the byte offset of `slot` written over the mark. Empty if the mark is not
/// there exactly once, which only a changed template can cause.
std::vector<bpf_insn> code_for_slot(ProgramCode code, uint32_t slot);

}  // namespace nettoll
