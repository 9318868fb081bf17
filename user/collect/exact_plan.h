// SPDX-License-Identifier: Apache-2.0
// Decides how each function of --exact is measured, before anything is loaded. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/attach_plan.h"
#include "model/function.h"

namespace nettoll {

/// Each takes a few kilobytes a measure on each possible CPU.
inline constexpr size_t kMostExactFunctions = 32;

/// What is asked of exact mode.
struct ExactRequest {
  std::vector<std::string> functions;  ///< empty: no exact mode
  uint32_t one_in = 1;                 ///< measure one call in so many; at least 1
  std::optional<Method> force;         ///< fentry or tracepoint alone, where set
};

/// What the plan asks about a kernel; see KernelView.
struct ExactKernelView {
  FunctionEntries entries;
  std::function<std::optional<BtfTarget>(std::string_view name, std::string_view module)> btf;
  /// Empty where fentry and fexit programs load and attach; else why they do not.
  std::string no_fentry;
};

/// How one function is measured: `method` is fentry (then `btf` holds), tracepoint (the pair around the
/// handler of softirq `vector`), or samples, which stands for not at all, and `obstacle` says why.
struct ExactRow {
  std::string function;
  std::string module = kVmlinux;
  Method method = Method::samples;
  BtfTarget btf;
  uint32_t vector = 0;
  std::string obstacle;

  bool operator==(const ExactRow&) const = default;
};

/// A row for each function, in order and without repetitions. fentry and fexit first; where they cannot be
/// had the tracepoints around a softirq handler, for the two functions that are one: net_rx_action and
/// net_tx_action.
std::vector<ExactRow> plan_exact(const ExactRequest& request, const ExactKernelView& kernel);

/// Fails where no row can be measured; the error says why and what would help.
Status check_exact_plan(const std::vector<ExactRow>& rows);

}  // namespace nettoll
