// SPDX-License-Identifier: Apache-2.0
#include "model/exact_frame.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

bool exact_below(const char* name, SymbolKind kind = SymbolKind::kernel) {
  return frame_below_is_exact({name, kVmlinux, kind});
}

TEST(ExactFrame, BelowAnInterruptEntry) {
  for (const char* name : {"asm_sysvec_apic_timer_interrupt", "asm_exc_page_fault", "asm_common_interrupt",
                           "el1h_64_irq", "el1h_64_sync", "handle_exception", "apic_timer_interrupt"})
    EXPECT_TRUE(exact_below(name)) << name;
  for (const char* name :
       {"sysvec_apic_timer_interrupt", "exc_page_fault", "el1h_64_irq_handler", "do_softirq", ""})
    EXPECT_FALSE(exact_below(name)) << name;
  EXPECT_FALSE(exact_below("asm_exc_page_fault", SymbolKind::user));
}

TEST(ExactFrame, BelowARetpoline) {
  for (const char* name : {"__x86_indirect_thunk_rax", "__pi___x86_indirect_thunk_rax",
                           "__x86_indirect_thunk_array", "__x86_indirect_call_thunk_array"})
    EXPECT_TRUE(exact_below(name)) << name;
  for (const char* name : {"__pi_memcpy", "x86_indirect"}) EXPECT_FALSE(exact_below(name)) << name;
}

TEST(ExactFrame, BelowAReturnThunk) {
  for (const char* name :
       {"__x86_return_thunk", "__pi___x86_return_thunk", "retbleed_return_thunk", "srso_alias_return_thunk",
        "srso_alias_safe_ret", "srso_safe_ret", "its_return_thunk", "call_depth_return_thunk"})
    EXPECT_TRUE(exact_below(name)) << name;
  for (const char* name :
       {"set_return_thunk", "set_return_thunk_text", "srso_alias_untrain_ret", "cpu_show_retbleed", "udp_sendmsg"})
    EXPECT_FALSE(exact_below(name)) << name;
  EXPECT_FALSE(exact_below("srso_alias_safe_ret", SymbolKind::user));
}

}  // namespace
}  // namespace nettoll
