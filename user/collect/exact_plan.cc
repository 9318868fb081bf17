// SPDX-License-Identifier: Apache-2.0
#include "collect/exact_plan.h"

#include <algorithm>

#include "collect/own_footprint.h"

namespace nettoll {
namespace {

/// The softirq that a function handles (include/linux/interrupt.h), if any: open_softirq() in net/core/dev.c.
std::optional<uint32_t> softirq_of(std::string_view function) {
  constexpr uint32_t kNetTx = 2, kNetRx = 3;
  if (function == "net_tx_action") return kNetTx;
  if (function == "net_rx_action") return kNetRx;
  return std::nullopt;
}

/// Hooks the function by fentry and fexit, or says why that cannot be; "" where it can.
std::string plan_fentry(ExactRow& row, const ExactKernelView& kernel) {
  if (is_run_by_probes(row.function)) return kRunByProbes;
  if (!kernel.no_fentry.empty()) return kernel.no_fentry;
  std::vector<FunctionEntry> plain, copies;
  for (FunctionEntry& entry : kernel.entries(row.function))
    (entry.name == row.function ? plain : copies).push_back(std::move(entry));
  if (plain.size() > 1) return fmt::format("{} functions have this name", plain.size());
  if (plain.empty() && copies.empty()) return "this kernel has no such function";
  if (plain.empty()) return fmt::format("the compiler renamed it ({})", copies.front().name);
  row.module = plain.front().module;
  const auto target = kernel.btf(row.function, row.module);
  if (!target) return "no BTF describes it";
  row.btf = *target;
  return {};
}

ExactRow plan_row(const std::string& function, const ExactRequest& request, const ExactKernelView& kernel) {
  const auto allowed = [&](Method method) { return !request.force || *request.force == method; };
  ExactRow row;
  row.function = function;
  row.obstacle = allowed(Method::fentry) ? plan_fentry(row, kernel)
                                         : "no pair of tracepoints brackets it, and fentry was not asked for";
  if (row.obstacle.empty()) {
    row.method = Method::fentry;
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
