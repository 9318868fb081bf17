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

/// What the plan asks about a kernel.
struct KernelView {
  /// How many functions of that name kallsyms lists, compiler suffixes (.isra.0 ...) included or not.
  std::function<size_t(std::string_view name)> instances;
  std::function<size_t(std::string_view name)> instances_with_suffix;
  /// The BTF id of a function of vmlinux, or empty.
  std::function<std::optional<uint32_t>(std::string_view name)> btf_id;
  std::function<bool(std::string_view tracepoint)> has_tracepoint;
  /// Empty where fentry programs load and attach; else why they do not.
  std::string no_fentry;
};

struct PlanRequest {
  FunctionSet set = FunctionSet::core;
  /// Only this method (--method), where set.
  std::optional<Method> force;
  /// Functions named by --function, already resolved from globs.
  std::vector<std::string> extra;
};

/// One row: what a person is told (`function`), and what the executor does.
struct PlanRow {
  CountedFunction function;
  FreeCounter free = FreeCounter::none;  ///< where the count comes from when no hook of its own is taken
  uint32_t btf_id = 0;                   ///< for fentry

  /// Whether the executor must load and attach a program.
  bool needs_hook() const { return free == FreeCounter::none && function.method != Method::samples; }
};

/// A row for each function of the table and each extra one. Free counters that equal the calls come first,
/// since dispatch is the cost; then fentry, then a tracepoint of its own, then samples alone. Functions that
/// the set leaves out have method `samples` and say so.
std::vector<PlanRow> plan_attach(const PlanRequest& request, const KernelView& kernel);

/// Hook firings for a packet that is received, one that is sent, and one that is dropped, added up: what the
/// set costs at most where every batch holds one packet.
double hooks_per_packet(const std::vector<PlanRow>& rows);

}  // namespace nettoll
