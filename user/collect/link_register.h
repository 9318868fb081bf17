// SPDX-License-Identifier: Apache-2.0
// The caller that a frame-pointer unwinder passes over.
//
// On arm64 and riscv64 a call leaves its return address in a register. A function without a frame of its own,
// and any other before it made its frame or after it gave it up, has it there alone; the kernel's unwinder
// starts at the frame pointer, which is its caller's, and goes on to the caller's caller. The register says
// who is between. Once a function has called others the register is about those: who knows the functions'
// bounds has to tell.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <optional>

namespace nettoll {

/// PERF_REG_ARM64_LR, PERF_REG_RISCV_RA (asm/perf_regs.h) as a bit of sample_regs_intr; 0 where stacks need
/// none.
#if defined(__aarch64__)
inline constexpr uint64_t kLinkRegisterBit = uint64_t{1} << 30;
#elif defined(__riscv)
inline constexpr uint64_t kLinkRegisterBit = uint64_t{1} << 1;
#else
inline constexpr uint64_t kLinkRegisterBit = 0;
#endif

/// The kernel address in such a register; empty if it holds none. Pointer authentication puts a code into the
/// bits above the address, except 55, which tells the kernel's half (arm64:
/// Documentation/arch/arm64/memory.rst).
inline std::optional<uint64_t> return_address_in(uint64_t link_register) {
  constexpr uint64_t kKernelHalf = uint64_t{1} << 55;
  constexpr uint64_t kAboveAddresses = uint64_t{0xffff} << 48;
  if ((link_register & kKernelHalf) == 0) return std::nullopt;
  return link_register | kAboveAddresses;
}

}  // namespace nettoll
