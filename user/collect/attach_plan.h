// SPDX-License-Identifier: Apache-2.0
// Decides what is counted and how, before anything is loaded. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/function_table.h"
#include "model/function.h"

namespace nettoll {

/// Which functions are hooked. `core` takes only the hooks that the net path needs anyway; `wide` takes one
/// more for every function of the table that can be counted here.
enum class FunctionSet { core, wide };

/// A function as kallsyms lists it.
struct FunctionEntry {
  std::string name;  ///< with the suffixes of copies that the compiler made
  std::string module;
  uint64_t address = 0;

  auto operator<=>(const FunctionEntry&) const = default;
};

/// Every function whose name without compiler suffixes is `name`, in all modules; cold parts left out.
using FunctionEntries = std::function<std::vector<FunctionEntry>(std::string_view name)>;

/// A function as BTF describes it: the BTF object of vmlinux (0) or of a module, and the type in it.
struct BtfTarget {
  uint32_t object = 0;
  uint32_t type = 0;

  bool operator==(const BtfTarget&) const = default;
};

/// What the plan asks about a kernel.
struct KernelView {
  FunctionEntries entries;
  std::function<std::optional<BtfTarget>(std::string_view name, std::string_view module)> btf;
  std::function<bool(std::string_view tracepoint)> has_tracepoint;
  /// False for a function that ftrace does not know; true as well where the kernel's list cannot be read.
  std::function<bool(std::string_view name)> traceable;
  /// Why a method does not work on this kernel, empty where it does.
  std::string no_fentry;
  std::string no_kprobe_multi;
  std::string no_kprobe;
};

/// A function named by --function: as `name`, or as `module:name`, which may come with its module later.
struct NamedFunction {
  std::string name;
  std::string module;  ///< "" for any

  auto operator<=>(const NamedFunction&) const = default;
};

struct PlanRequest {
  FunctionSet set = FunctionSet::core;
  /// Only this method (--method), where set.
  std::optional<Method> force;
  std::vector<NamedFunction> extra;
};

/// One way to count a function, and what is told of it then.
struct Step {
  Method method = Method::samples;
  CountState state = CountState::counted;
  std::string condition;
  bool denominator = true;
  std::string tracepoint;                ///< for Method::tracepoint
  FreeCounter free = FreeCounter::none;  ///< where that is hooked anyway
};

/// One row: what a person is told (`function`), and what the executor does. `function` is what the first of
/// `steps` makes of it; try_next() goes on to the next.
struct PlanRow {
  CountedFunction function;
  FreeCounter free = FreeCounter::none;  ///< where the count comes from when no hook of its own is taken
  BtfTarget btf;                         ///< for fentry
  std::vector<FunctionEntry> entries;    ///< for kprobes: all of them together are the function
  std::vector<Step> steps;               ///< what is left to try, the first being what is tried
  std::vector<std::string> failures;     ///< why the earlier ones failed
  Rate rate = Rate::rare;
  CountState uncounted = CountState::absent;  ///< its state when no step works

  /// Whether the executor must load and attach a program.
  bool needs_hook() const { return free == FreeCounter::none && function.method != Method::samples; }
};

/// A row for each function of the table and each extra one. Free counters that equal the calls come first,
/// since dispatch is the cost; then fentry, kprobe.multi, kprobe, a tracepoint of its own, samples alone.
/// Functions that the set leaves out have method `samples` and say so.
std::vector<PlanRow> plan_attach(const PlanRequest& request, const KernelView& kernel);

/// The first step of `row` failed because of `why`: takes the next, and where there is none leaves the
/// function to samples, with every reason.
void try_next(PlanRow& row, const std::string& why);

/// The row with its hook taken away for now, to keep within a budget.
PlanRow shed_row(const PlanRow& row);

/// The row without a hook between slices in which it has it (CallSlices).
PlanRow sliced_row(const PlanRow& row);

/// Has kprobe.multi tried first where it fits: one link attaches and detaches many functions at once.
void prefer_kprobe_multi(PlanRow& row);

/// Hook firings for a packet that is received, one that is sent, and one that is dropped, added up: what the
/// set costs at most where every batch holds one packet.
double hooks_per_packet(const std::vector<PlanRow>& rows);

}  // namespace nettoll
