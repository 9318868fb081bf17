// SPDX-License-Identifier: Apache-2.0
#include "collect/exact_plan.h"

#include <algorithm>

namespace nettoll {
namespace {

/// The softirq that a function handles (include/linux/interrupt.h), if any: open_softirq() in net/core/dev.c.
std::optional<uint32_t> softirq_of(std::string_view function) {
  constexpr uint32_t kNetTx = 2, kNetRx = 3;
  if (function == "net_tx_action") return kNetTx;
  if (function == "net_rx_action") return kNetRx;
  return std::nullopt;
}

/// Why fentry and fexit cannot measure the function, or "".
std::string fentry_obstacle(std::string_view name, const ExactKernelView& kernel) {
  if (!kernel.no_fentry.empty()) return kernel.no_fentry;
  const size_t instances = kernel.instances(name);
  if (instances == 0) return "the compiler renamed it (.isra, .constprop or .part): no entry to hook by name";
  if (instances > 1) return fmt::format("{} functions have this name", instances);
  if (!kernel.btf_id(name)) return "the kernel's BTF does not describe it";
  return {};
}

ExactRow plan_row(const std::string& function, const ExactRequest& request, const ExactKernelView& kernel) {
  const auto allowed = [&](Method method) { return !request.force || *request.force == method; };
  ExactRow row;
  row.function = function;
  row.obstacle = allowed(Method::fentry) ? fentry_obstacle(function, kernel)
                                         : "no pair of tracepoints brackets it, and fentry was not asked for";
  if (row.obstacle.empty()) {
    row.method = Method::fentry;
    row.btf_id = *kernel.btf_id(function);
  } else if (const auto vector = softirq_of(function); vector && allowed(Method::tracepoint)) {
    row.method = Method::tracepoint;
    row.vector = *vector;
    row.obstacle.clear();
  }
  return row;
}

}  // namespace

std::vector<ExactRow> plan_exact(const ExactRequest& request, const ExactKernelView& kernel) {
  std::vector<ExactRow> rows;
  for (const std::string& function : request.functions) {
    const bool repeated =
        std::any_of(rows.begin(), rows.end(), [&](const ExactRow& row) { return row.function == function; });
    if (!repeated) rows.push_back(plan_row(function, request, kernel));
  }
  return rows;
}

Status check_exact_plan(const std::vector<ExactRow>& rows) {
  std::string reasons;
  for (const ExactRow& row : rows) {
    if (row.method != Method::samples) return {};
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : ", ", row.function, row.obstacle);
  }
  return failure(fmt::format("no function of --exact can be measured here ({})", reasons),
                 "net_rx_action and net_tx_action can be wherever raw tracepoints work");
}

}  // namespace nettoll
