// SPDX-License-Identifier: Apache-2.0
// Kernel functions: who they are, and how their calls are counted.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace nettoll {

/// What an address turned out to be.
enum class SymbolKind : uint8_t {
  kernel,   ///< of vmlinux or of a module
  bpf,      ///< a BPF program of somebody else, or a trampoline
  own,      ///< nettoll's own programs and what calls them: all of it is one symbol, `kOwnCostName`
  user,     ///< user mode, not looked into
  unknown,  ///< no symbol covers it
};

inline constexpr const char* kOwnCostName = "nettoll (own cost)";
/// The programs of another nettoll and what calls them, a symbol of kind `bpf`.
inline constexpr const char* kOtherNettollName = "nettoll (another)";
inline constexpr const char* kUserName = "[user]";
inline constexpr const char* kUnknownName = "[unknown]";
/// The module name of the kernel itself.
inline constexpr const char* kVmlinux = "vmlinux";

/// A named piece of code. Name and module together are its identity.
struct Symbol {
  std::string name;
  /// kVmlinux, a module's name, "bpf", or "" where there is none.
  std::string module;
  SymbolKind kind = SymbolKind::kernel;

  auto operator<=>(const Symbol&) const = default;
};

/// How calls of a function are counted.
enum class Method : uint8_t {
  fentry,        ///< a BPF trampoline at its entry
  kprobe_multi,  ///< an fprobe at its entry
  kprobe,        ///< a single kprobe at its entry
  tracepoint,    ///< a tracepoint that stands for the call
  samples,       ///< calls are not counted; it can be seen in samples only
};

/// What this kernel offers for a function. All but the first two are not counted.
enum class CountState : uint8_t {
  counted,    ///< its entry is hooked
  proxied,    ///< a tracepoint stands for it
  sampled,    ///< it could be hooked, but is not: the set leaves it out, or the kernel refused
  inlined,    ///< its code is in its callers: there is no entry to hook
  renamed,    ///< the compiler made copies of it that cannot be hooked by name (.isra.0, .constprop.0)
  duplicate,  ///< several functions have its name
  notrace,    ///< the kernel does not let this function be traced, or our own programs run it
  absent,     ///< this kernel has no such function: another version, configuration, or a module not loaded
  shed,       ///< it was counted, and is not for now: serve keeps within its budget (--max-overhead)
  estimated,  ///< it is counted in slices of the time alone, and its calls are estimated
};

/// Whether calls are counted in this state.
inline bool is_counted(CountState state) {
  return state <= CountState::proxied;
}

/// One function whose calls are counted, or the reason why they are not.
struct CountedFunction {
  std::string name;
  std::string module;
  Method method = Method::samples;
  CountState state = CountState::absent;
  /// The tracepoint that stands for it, or "".
  std::string tracepoint;
  /// What a reader of the count has to know: where it differs from the calls, how it is made, or why there is
  /// none. A person's sentence; "" where there is nothing to say.
  std::string condition;
  /// Whether the count may divide a cost. False for a proxy whose condition matters.
  bool denominator = false;
  /// How many times its hook fires for each packet on its way, by design of the path (0 where it fires a
  /// batch or a drop). The sum over a set is its hooks per packet.
  double hooks_per_packet = 0;

  bool operator==(const CountedFunction&) const = default;
};

/// Calls of Session::functions[function] in the window.
struct FunctionCalls {
  uint32_t function = 0;
  /// Indexed by CPU id.
  std::vector<uint64_t> by_cpu;
  /// Runs that the kernel skipped because the program was already running on that CPU: calls that `by_cpu`
  /// lacks.
  uint64_t missed = 0;

  uint64_t total() const {
    uint64_t sum = missed;
    for (const uint64_t n : by_cpu) sum += n;
    return sum;
  }
  bool operator==(const FunctionCalls&) const = default;
};

}  // namespace nettoll
