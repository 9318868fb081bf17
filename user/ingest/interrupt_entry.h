// SPDX-License-Identifier: Apache-2.0
// Where a kernel stack goes on with code that did not call, but was interrupted.
#pragma once

#include <string_view>

#include "model/function.h"

namespace nettoll {

/// Whether a function is the first of an interrupt or exception in the kernel: the frame below it is then
/// where the CPU was, not a return address. Names are those of x86 (arch/x86/include/asm/idtentry.h; without
/// "asm_" up to 5.7), arm64 (arch/arm64/kernel/entry.S) and riscv (arch/riscv/kernel/entry.S).
inline bool is_interrupt_entry(const Symbol& symbol) {
  if (symbol.kind != SymbolKind::kernel) return false;
  const std::string_view name = symbol.name;
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

}  // namespace nettoll
