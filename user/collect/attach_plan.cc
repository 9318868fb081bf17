// SPDX-License-Identifier: Apache-2.0
#include "collect/attach_plan.h"

#include <algorithm>

namespace nettoll {
namespace {

/// The first name that the kernel has; the table's first where it has none.
std::string_view resolve(const std::vector<std::string_view>& names, const KernelView& kernel) {
  for (const auto name : names) {
    if (kernel.instances_with_suffix(name) > 0) return name;
  }
  return names.front();
}

/// Why a function cannot be hooked by fentry, or "" when it can.
std::string fentry_obstacle(std::string_view name, const KernelView& kernel) {
  if (!kernel.no_fentry.empty()) return kernel.no_fentry;
  const size_t plain = kernel.instances(name);
  if (plain == 0) return "the compiler renamed it (.isra, .constprop or .part): no entry to hook by name";
  if (plain > 1) return fmt::format("{} functions have this name", plain);
  if (!kernel.btf_id(name)) return "no BTF describes it";
  return {};
}

void count_by_fentry(PlanRow& row, const KernelView& kernel) {
  row.function.method = Method::fentry;
  row.function.state = CountState::counted;
  row.function.denominator = true;
  row.btf_id = *kernel.btf_id(row.function.name);
}

void count_by_tracepoint(PlanRow& row, const Proxy& proxy) {
  row.function.method = Method::tracepoint;
  row.function.state = CountState::proxied;
  row.function.tracepoint = proxy.tracepoint;
  row.function.condition = proxy.condition;
  row.function.denominator = proxy.denominator;
  row.free = proxy.free;
}

void only_samples(PlanRow& row, std::string why) {
  row.function.method = Method::samples;
  row.function.state = CountState::sampled;
  row.function.condition = std::move(why);
}

void add_condition(PlanRow& row, std::string_view text) {
  if (!row.function.condition.empty()) row.function.condition += "; ";
  row.function.condition += text;
}

PlanRow plan_row(const TableEntry& entry, const PlanRequest& request, const KernelView& kernel, bool in_set) {
  PlanRow row;
  row.function.name = resolve(entry.names, kernel);
  row.function.module = kVmlinux;
  const Proxy& proxy = entry.proxy;
  const bool present = kernel.instances_with_suffix(row.function.name) > 0;
  const bool has_proxy = !proxy.tracepoint.empty() && kernel.has_tracepoint(proxy.tracepoint);
  const auto allowed = [&](Method method) { return !request.force || *request.force == method; };

  if (has_proxy && allowed(Method::tracepoint) && proxy.free != FreeCounter::none) {
    // The hook is there already. A count with a condition gives way to fentry where that can be had.
    const bool better = in_set && request.set == FunctionSet::wide && !proxy.condition.empty() && present &&
                        allowed(Method::fentry) && fentry_obstacle(row.function.name, kernel).empty();
    if (!better) {
      count_by_tracepoint(row, proxy);
      return row;
    }
  }
  if (!in_set) {
    if (present)
      only_samples(row, "not in the core set; --set wide counts it where this kernel can");
    else
      row.function.condition = "this kernel has no such function: inlined, renamed or not configured";
    return row;
  }
  const std::string obstacle = present
                                   ? fentry_obstacle(row.function.name, kernel)
                                   : "this kernel has no such function: inlined, renamed or not configured";
  if (obstacle.empty() && allowed(Method::fentry)) {
    count_by_fentry(row, kernel);
  } else if (has_proxy && allowed(Method::tracepoint)) {
    count_by_tracepoint(row, proxy);
    // Its samples stand under the function that it was inlined into.
    if (!present) add_condition(row, "inlined in this kernel");
  } else if (present) {
    only_samples(row, obstacle.empty() ? "the method asked for does not fit it" : obstacle);
  } else {
    row.function.condition = obstacle;
    return row;
  }
  if (row.needs_hook() && entry.rate == Rate::packet) row.function.hooks_per_packet = 1;
  return row;
}

}  // namespace

std::vector<PlanRow> plan_attach(const PlanRequest& request, const KernelView& kernel) {
  std::vector<PlanRow> rows;
  for (const TableEntry& entry : function_table()) {
    const bool named = std::any_of(entry.names.begin(), entry.names.end(), [&](std::string_view name) {
      return std::find(request.extra.begin(), request.extra.end(), name) != request.extra.end();
    });
    rows.push_back(plan_row(entry, request, kernel, named || request.set == FunctionSet::wide));
  }
  for (const std::string& name : request.extra) {
    const bool known =
        std::any_of(rows.begin(), rows.end(), [&](const PlanRow& row) { return row.function.name == name; });
    if (!known)
      rows.push_back(plan_row(TableEntry{{name}, Area::receive, Rate::packet, {}}, request, kernel, true));
  }
  return rows;
}

double hooks_per_packet(const std::vector<PlanRow>& rows) {
  // The net path's own: receive, transmit, drop; NAPI poll, softirq entry and exit, for a batch of one.
  double sum = 6;
  for (const auto& row : rows) sum += row.function.hooks_per_packet;
  return sum;
}

}  // namespace nettoll
