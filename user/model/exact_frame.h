// SPDX-License-Identifier: Apache-2.0
// Which frames of a kernel stack are not return addresses.
#pragma once

#include <string_view>

#include "model/function.h"

namespace nettoll {

/// Whether a function is the first of an interrupt or exception in the kernel. Names are those of x86
/// (arch/x86/include/asm/idtentry.h; without "asm_" up to 5.7), arm64 (arch/arm64/kernel/entry.S) and riscv
/// (arch/riscv/kernel/entry.S).
inline bool is_interrupt_entry(std::string_view name) {
  // What such an entry of arm64 calls has a frame of its own, with a return address.
  if (name.ends_with("_handler")) return false;
  for (const std::string_view prefix : {"asm_sysvec_", "asm_exc_", "asm_common_interrupt",
                                        "asm_spurious_interrupt", "el1h_64_", "el1t_64_"}) {
    if (name.starts_with(prefix)) return true;
  }
  for (const std::string_view whole :
       {"el1_irq", "el1_sync", "handle_exception", "ret_from_intr", "retint_kernel", "apic_timer_interrupt",
        "page_fault", "nmi", "end_repeat_nmi"}) {
    if (name == whole) return true;
  }
  return false;
}

/// Whether a function is a retpoline: it puts the function that it goes to on the stack, and returns into it
/// (arch/x86/lib/retpoline.S). "__pi_" is another name of the same code.
inline bool is_indirect_thunk(std::string_view name) {
  if (name.starts_with("__pi_")) name.remove_prefix(5);
  return name.starts_with("__x86_indirect_");
}

/// Whether a function is what returns go through: a retpoline's too, where returns have a mitigation
/// (__x86_return_thunk, retbleed_return_thunk, srso_alias_safe_ret: arch/x86/lib/retpoline.S).
inline bool is_return_thunk(std::string_view name) {
  return name.ends_with("_return_thunk") ? name != "set_return_thunk" : name.ends_with("_safe_ret");
}

/// Whether the frame below a function's is a place as it stands, not a return address, which is looked up one
/// byte earlier: where the CPU was when an interrupt came, or where a retpoline goes. A return address below
/// a thunk is found either way: neither an indirect call nor a call that returns ends a function.
inline bool frame_below_is_exact(const Symbol& symbol) {
  return symbol.kind == SymbolKind::kernel &&
         (is_interrupt_entry(symbol.name) || is_indirect_thunk(symbol.name) || is_return_thunk(symbol.name));
}

}  // namespace nettoll
