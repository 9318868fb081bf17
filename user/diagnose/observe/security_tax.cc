// SPDX-License-Identifier: Apache-2.0
// What hardening and debugging add to all code: apart from the code that is analysed, with the setting that
// each comes from and what turning it off risks.
//
// Not visible in samples, since it is a few instructions inside the functions themselves: stack protector,
// CFI checks, VERW, IBRS writes, speculation barriers.
#include <algorithm>
#include <iterator>

#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"
#include "diagnose/observe/zero_fill.h"

namespace nettoll {
namespace {

constexpr const char* kSideChannelRisk =
    " Off, programs and guests on this host can read memory of others by side channels: only where all code "
    "on "
    "it is trusted.";

struct Tax {
  Holds holds;
  std::string what;
  std::string explanation;
  std::vector<std::string> remedy;
  limit::Limit limit = limit::kTax;
};

void judge_tax(const Sight& sight, Verdict& verdict, Tax tax) {
  judge(sight, verdict,
        {.of = WorkShare::Of::either,
         .limit = tax.limit,
         .holds = std::move(tax.holds),
         .what = std::move(tax.what),
         .explanation = "Not of the code under analysis: " + tax.explanation,
         .remedy = std::move(tax.remedy),
         .list = "in",
         .listed_under = leaf(sight)});
}

/// What is hardening, without debugging aids and entry code.
bool is_tax(const Sight& sight, uint32_t stack) {
  constexpr Works kAtLeaf{Work::indirect_thunk, Work::return_thunk};
  constexpr Works kInStack{Work::usercopy_check};
  return sight.leaf_works(stack).any_of(kAtLeaf) || sight.stack_works(stack).any_of(kInStack) ||
         zero_fill_of(sight, stack) != ZeroFill::none;
}

}  // namespace

void security_tax(const Sight& sight, Verdict& verdict) {
  const Holds holds = [&sight](uint32_t stack) { return is_tax(sight, stack); };
  judge_tax(
      sight, verdict,
      {.holds = holds,
       .what = "security hardening as a whole",
       .explanation = "mitigations and checks that the kernel's configuration and boot parameters add to all "
                      "code. Set it apart before functions are compared between hosts or kernels. Stack "
                      "protector, CFI, VERW and barriers are inside functions and not in it.",
       .remedy = {"grep . /sys/devices/system/cpu/vulnerabilities/*", "cat /proc/cmdline"},
       .limit = limit::kAllTax});
}

void tax_retpoline(const Sight& sight, Verdict& verdict) {
  judge_tax(
      sight, verdict,
      {.holds = at_leaf(sight, {Work::indirect_thunk}),
       .what = "calling through retpolines",
       .explanation = std::string("indirect calls go through thunks that keep the CPU from guessing their "
                                  "target (Spectre v2).") +
                      kSideChannelRisk,
       .remedy = {"cat /sys/devices/system/cpu/vulnerabilities/spectre_v2",
                  "boot parameter spectre_v2= (eibrs, where the CPU has it, in place of retpoline); "
                  "CONFIG_MITIGATION_RETPOLINE (CONFIG_RETPOLINE up to 6.8)",
                  "fewer indirect calls: GRO and batching call them once for many packets"}});
}

void tax_return_thunk(const Sight& sight, Verdict& verdict) {
  judge_tax(sight, verdict,
            {.holds = at_leaf(sight, {Work::return_thunk}),
             .what = "returning through thunks",
             .explanation =
                 std::string("each return goes through code that keeps the CPU from guessing where to "
                             "(AMD SRSO, Retbleed; ITS on Intel). Costs of the function that returns show "
                             "up in the thunk.") +
                 kSideChannelRisk,
             .remedy = {"cat /sys/devices/system/cpu/vulnerabilities/spec_rstack_overflow "
                        "/sys/devices/system/cpu/vulnerabilities/retbleed "
                        "/sys/devices/system/cpu/vulnerabilities/indirect_target_selection",
                        "boot parameters spec_rstack_overflow=, retbleed=, indirect_target_selection=; "
                        "CONFIG_MITIGATION_SRSO, CONFIG_MITIGATION_RETHUNK",
                        "newer microcode, where safe-ret can take the place of IBPB"}});
}

void tax_usercopy(const Sight& sight, Verdict& verdict) {
  judge_tax(
      sight, verdict,
      {.holds = in_stack(sight, {Work::usercopy_check}),
       .what = "checking copies to and from programs",
       .explanation = "hardened usercopy looks up the object behind each copy and checks its bounds. Off, an "
                      "overflow in a driver or protocol can read or write memory beside the object.",
       .remedy = {"boot parameter hardened_usercopy=off; CONFIG_HARDENED_USERCOPY",
                  "fewer, larger reads and writes: it costs a copy, not a byte"}});
}

void tax_init_on_alloc(const Sight& sight, Verdict& verdict) {
  judge_tax(sight, verdict,
            {.holds = [&sight](uint32_t stack) { return zero_fill_of(sight, stack) == ZeroFill::on_alloc; },
             .what = "clearing memory of packets when it is allocated",
             .explanation =
                 "init_on_alloc fills pages and objects with zeros that will be written over. Pages that "
                 "must be zero (page faults, page tables) are not in it. Off, a bug that reads memory "
                 "before it is written sees what was there.",
             .remedy = {"boot parameter init_on_alloc=0; CONFIG_INIT_ON_ALLOC_DEFAULT_ON",
                        "use pages again: a driver with a page pool, buffers of less than a page"}});
}

void tax_init_on_free(const Sight& sight, Verdict& verdict) {
  judge_tax(sight, verdict,
            {.holds = [&sight](uint32_t stack) { return zero_fill_of(sight, stack) == ZeroFill::on_free; },
             .what = "clearing memory when it is freed",
             .explanation =
                 "init_on_free fills freed pages and objects with zeros. Off, what was in freed memory stays "
                 "there until it is used again.",
             .remedy = {"boot parameter init_on_free=0; CONFIG_INIT_ON_FREE_DEFAULT_ON"}});
}

void tax_sanitizer(const Sight& sight, Verdict& verdict) {
  judge_tax(
      sight, verdict,
      {.holds = in_stack(sight, {Work::sanitizer}),
       .what = "checking memory accesses (KASAN, KCSAN, KMSAN)",
       .explanation = "a kernel built to find bugs in itself. It changes what everything costs: no share of "
                      "this profile holds for another kernel. There is no risk in measuring another.",
       .remedy = {"a kernel without CONFIG_KASAN, CONFIG_KCSAN, CONFIG_KMSAN; boot parameter kasan=off for "
                  "hardware tags"}});
}

void tax_kfence(const Sight& sight, Verdict& verdict) {
  judge_tax(sight, verdict,
            {.holds = in_stack(sight, {Work::kfence}),
             .what = "KFENCE",
             .explanation =
                 "an allocation now and then is placed so that errors in it are found. Normal is far below "
                 "a percent. Off, such errors go by unseen.",
             .remedy = {
                 "boot parameter kfence.sample_interval=0, or a longer one in milliseconds; CONFIG_KFENCE"}});
}

void tax_lock_debug(const Sight& sight, Verdict& verdict) {
  judge_tax(
      sight, verdict,
      {.holds = in_stack(sight, {Work::lock_debug}),
       .what = "checking the use of locks (lockdep)",
       .explanation = "a kernel built to find deadlocks. Locks then cost many times what they do elsewhere. "
                      "There is no risk in measuring another.",
       .remedy = {"a kernel without CONFIG_PROVE_LOCKING and CONFIG_DEBUG_LOCK_ALLOC"}});
}

void tax_slab_debug(const Sight& sight, Verdict& verdict) {
  judge_tax(
      sight, verdict,
      {.holds = in_stack(sight, {Work::slab_debug}),
       .what = "checking slab objects",
       .explanation =
           "slab debugging takes every allocation through the slow path and checks the object. Off, "
           "writes beyond an object go by unseen.",
       .remedy = {
           "boot parameter slab_debug= (slub_debug= up to 6.8): '-' turns it off; CONFIG_SLUB_DEBUG_ON"}});
}

void tax_security_module(const Sight& sight, Verdict& verdict) {
  judge_tax(
      sight, verdict,
      {.holds = in_stack(sight, {Work::security_module}),
       .what = "asking security modules",
       .explanation =
           "SELinux, AppArmor, Smack or BPF LSM check each send, receive, and with SELinux labels each "
           "packet. Off, programs are no longer confined.",
       .remedy =
           {"cat /sys/kernel/security/lsm",
            "boot parameter lsm=; SELinux: remove packet labels (secmark, netlabel) that no policy uses"},
       .limit = {0.03, 0.10}});
}

void tax_audit(const Sight& sight, Verdict& verdict) {
  judge_tax(sight, verdict,
            {.holds = in_stack(sight, {Work::audit, Work::seccomp}),
             .what = "auditing and filtering system calls",
             .explanation =
                 "audit rules and seccomp filters run on each system call of the programs that they are set "
                 "for. Off, calls are no longer logged, or no longer refused.",
             .remedy = {"auditctl -l; boot parameter audit=0", "grep Seccomp /proc/PID/status"}});
}

void tax_kernel_entry(const Sight& sight, Verdict& verdict) {
  judge_tax(
      sight, verdict,
      {.holds = at_leaf(sight, {Work::kernel_entry}),
       .what = "entering the kernel and leaving it",
       .explanation =
           std::string("page-table isolation, IBRS and buffer clearing are in the entry code, beside "
                       "what a system call takes anyhow; samples cannot part them.") +
           kSideChannelRisk,
       .remedy = {"cat /sys/devices/system/cpu/vulnerabilities/meltdown "
                  "/sys/devices/system/cpu/vulnerabilities/mds",
                  "boot parameters pti= (x86), kpti= (arm64), mds=; CONFIG_MITIGATION_PAGE_TABLE_ISOLATION",
                  "fewer system calls: recvmmsg, sendmmsg, io_uring, UDP_GRO and UDP_SEGMENT"},
       .limit = limit::kEntry});
}

}  // namespace nettoll
