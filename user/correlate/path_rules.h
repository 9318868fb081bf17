// SPDX-License-Identifier: Apache-2.0
// Which path a call stack belongs to.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/function.h"
#include "model/net.h"

namespace nettoll {

/// What a function's name says about a stack that holds it. Bits; most functions have none.
enum SymbolRole : uint16_t {
  kNoRole = 0,
  kRxEntry = 1 << 0,
  kTxEntry = 1 << 1,
  kSendEntry = 1 << 2,
  kReceiveEntry = 1 << 3,
  kTimerEntry = 1 << 4,
  kIdleFunction = 1 << 5,
  kInterruptEntry = 1 << 6,  ///< of a hardware interrupt or of softirq work
  kOwnCode = 1 << 7,
  kUserCode = 1 << 8,
  kOtherTracer = 1 << 9,  ///< another nettoll
};

/// The roles of a kernel function's name. Suffixes that compilers add (".isra.0", ".cold") do not matter.
/// Names are those of x86, arm64 and riscv64 from 5.10 on; one that a kernel lacks does no harm.
uint16_t roles_of_name(std::string_view name);

/// The same for a symbol of any kind. BPF programs choose their names freely, so theirs say nothing.
uint16_t roles_of_symbol(const Symbol& symbol);

/// The roles of every symbol of a profile, in its order: names are looked at once, stacks many times.
std::vector<uint16_t> roles_of_symbols(std::span<const Symbol> symbols);

/// The path of a stack of symbol numbers, innermost first:
/// - user where the CPU was in user mode (the leaf says so);
/// - else what the innermost of these frames stands for: an entry point of a network path, nettoll's own code
///   (its helpers run inside it, so the leaf need not be ours), the code of another nettoll (other: it is no
///   work of the path that it watches, nor is it our own cost), or an idle function with no interrupt inside
///   it. Softirq work runs on top of the idle task, which is why the stack decides and never the process id;
/// - else other.
Path path_of(std::span<const uint32_t> stack, std::span<const uint16_t> roles);

}  // namespace nettoll
