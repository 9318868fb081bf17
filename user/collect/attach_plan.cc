// SPDX-License-Identifier: Apache-2.0
#include "collect/attach_plan.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "collect/own_footprint.h"
#include "model/names.h"

namespace nettoll {
namespace {

constexpr const char* kRefused = "the method asked for does not fit it";
/// Said in each row where nothing can be hooked at all; the reasons are the host's, not the function's.
constexpr const char* kNoEntryHooks = "neither fentry nor kprobes work here, see nettoll doctor";

bool is_part(std::string_view name) {
  return name.find(".part.") != std::string_view::npos;
}

/// What kallsyms has of a function in one module.
struct Presence {
  std::vector<FunctionEntry> plain;   ///< under its own name
  std::vector<FunctionEntry> copies;  ///< .isra.0, .constprop.0: whole functions
  std::vector<FunctionEntry> parts;   ///< .part.0: without its beginning, which is inlined in callers

  size_t hookable() const { return plain.size() + copies.size(); }
  bool any() const { return hookable() + parts.size() > 0; }
};

Presence find_entries(std::string_view name, std::string_view module, const KernelView& kernel) {
  Presence presence;
  std::vector<uint64_t> seen;  // aliases share an address: hooked twice, a call would count twice
  for (FunctionEntry& entry : kernel.entries(name)) {
    if (entry.module != module || std::find(seen.begin(), seen.end(), entry.address) != seen.end()) continue;
    seen.push_back(entry.address);
    if (entry.name == name)
      presence.plain.push_back(std::move(entry));
    else if (is_part(entry.name))
      presence.parts.push_back(std::move(entry));
    else
      presence.copies.push_back(std::move(entry));
  }
  return presence;
}

/// Where a function lives: the kernel itself if it is there, else the first module that has it; the name of
/// the kernel where nobody has.
std::string home_of(std::string_view name, const KernelView& kernel) {
  const auto entries = kernel.entries(name);
  if (entries.empty() || std::any_of(entries.begin(), entries.end(),
                                     [](const FunctionEntry& e) { return e.module == kVmlinux; }))
    return kVmlinux;
  return entries.front().module;
}

/// The first name that the kernel has; the table's first where it has none.
std::string_view resolve(const std::vector<std::string_view>& names, const KernelView& kernel) {
  for (const auto name : names) {
    if (!kernel.entries(name).empty()) return name;
  }
  return names.front();
}

std::string list_names(const std::vector<FunctionEntry>& entries) {
  std::vector<std::string_view> names;
  for (const FunctionEntry& entry : entries) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void append(std::string& text, std::string_view more) {
  if (more.empty() || text.find(more) != std::string::npos) return;
  if (!text.empty()) text += "; ";
  text += more;
}

/// Collects the steps of one row.
class Ladder {
 public:
  Ladder(PlanRow& row, const PlanRequest& request, const KernelView& kernel)
      : row_(row), request_(request), kernel_(kernel) {}

  void entry_hooks(const Presence& presence);
  void tracepoint(const Proxy& proxy, bool inlined);
  /// Why fentry and the rest are out of question; for people.
  const std::string& obstacle() const { return obstacle_; }

 private:
  bool allowed(Method method) const { return !request_.force || *request_.force == method; }
  void fentry(const Presence& presence, std::string condition);
  void by_address(const Presence& presence, const std::string& condition);

  PlanRow& row_;
  const PlanRequest& request_;
  const KernelView& kernel_;
  std::string obstacle_;
};

void Ladder::fentry(const Presence& presence, std::string condition) {
  const CountedFunction& function = row_.function;
  // A BPF trampoline is attached by BTF, which knows functions by name: it must be one function.
  if (presence.plain.size() != 1) {
    if (presence.plain.empty())
      append(obstacle_, fmt::format("the compiler renamed it ({})", list_names(presence.copies)));
    else
      append(obstacle_, fmt::format("{} functions have this name", presence.plain.size()));
    return;
  }
  if (!kernel_.no_fentry.empty()) return append(obstacle_, kernel_.no_fentry);
  const auto target = kernel_.btf(function.name, function.module);
  if (!target) return append(obstacle_, "no BTF describes it");
  row_.btf = *target;
  if (!allowed(Method::fentry)) return;
  const bool all = presence.copies.empty();
  if (!all) append(condition, fmt::format("misses calls of its copies {}", list_names(presence.copies)));
  row_.steps.push_back({Method::fentry, CountState::counted, condition, condition.empty(), {}, {}});
}

void Ladder::by_address(const Presence& presence, const std::string& condition) {
  if (kernel_.no_kprobe_multi.empty() && allowed(Method::kprobe_multi))
    row_.steps.push_back(
        {Method::kprobe_multi, CountState::counted, condition, presence.parts.empty(), {}, {}});
  if (kernel_.no_kprobe.empty() && allowed(Method::kprobe))
    row_.steps.push_back({Method::kprobe, CountState::counted, condition, presence.parts.empty(), {}, {}});
  append(obstacle_, kernel_.no_kprobe_multi);
  append(obstacle_, kernel_.no_kprobe);
}

/// A function with copies is whole only where all of them are hooked, which is done by address.
void Ladder::entry_hooks(const Presence& presence) {
  row_.entries = presence.plain;
  row_.entries.insert(row_.entries.end(), presence.copies.begin(), presence.copies.end());
  std::string condition;
  if (!presence.parts.empty())
    condition =
        fmt::format("misses calls whose beginning the compiler inlined ({})", list_names(presence.parts));
  std::string of_addresses = condition;
  if (presence.plain.size() > 1)
    append(of_addresses, fmt::format("counts {} functions of this name together", presence.plain.size()));
  else if (row_.entries.size() > 1)
    append(of_addresses, fmt::format("counts {} together", list_names(row_.entries)));
  else if (presence.plain.empty())
    append(of_addresses, fmt::format("the compiler renamed it {}", row_.entries.front().name));
  if (presence.copies.empty()) {
    fentry(presence, condition);
    by_address(presence, of_addresses);
  } else {
    by_address(presence, of_addresses);
    fentry(presence, condition);
  }
}

void Ladder::tracepoint(const Proxy& proxy, bool inlined) {
  if (proxy.tracepoint.empty() || !kernel_.has_tracepoint(proxy.tracepoint) || !allowed(Method::tracepoint))
    return;
  Step step{Method::tracepoint, CountState::proxied,           std::string(proxy.condition),
            proxy.denominator,  std::string(proxy.tracepoint), proxy.free};
  // Its samples stand under the function that it was inlined into.
  if (inlined) append(step.condition, "inlined in this kernel");
  row_.steps.push_back(std::move(step));
}

/// Makes `function` what the first step says.
void apply_step(PlanRow& row) {
  const Step& step = row.steps.front();
  CountedFunction& function = row.function;
  function.method = step.method;
  function.state = step.state;
  function.condition = step.condition;
  function.denominator = step.denominator;
  function.tracepoint = step.tracepoint;
  row.free = step.free;
  function.hooks_per_packet = row.needs_hook() && row.rate == Rate::packet ? 1 : 0;
}

void leave_to_samples(PlanRow& row, std::string why) {
  row.steps.clear();
  row.free = FreeCounter::none;
  CountedFunction& function = row.function;
  function.method = Method::samples;
  function.state = row.uncounted;
  function.condition = std::move(why);
  function.denominator = false;
  function.tracepoint.clear();
  function.hooks_per_packet = 0;
}

struct Missing {
  CountState state;
  std::string why;
};

/// Why there is nothing to hook.
Missing explain_absence(const TableEntry& entry, const PlanRow& row, const Presence& presence,
                        const KernelView& kernel) {
  if (!presence.parts.empty())
    return {CountState::inlined,
            fmt::format("the compiler inlined its beginning: only {} is left", list_names(presence.parts))};
  const std::string_view host = entry.inlined_into;
  if (!host.empty() && !kernel.entries(host).empty())
    return {CountState::inlined, fmt::format("inlined: its samples are those of {}", host)};
  if (row.function.module != kVmlinux)
    return {CountState::absent,
            fmt::format("module {} is not loaded, or has no such function", row.function.module)};
  return {CountState::absent,
          "this kernel has no such function: another version or configuration, or a "
          "module that is not loaded"};
}

bool is_traceable(const Presence& presence, const KernelView& kernel) {
  const auto known = [&](const FunctionEntry& entry) { return kernel.traceable(entry.name); };
  return std::any_of(presence.plain.begin(), presence.plain.end(), known) ||
         std::any_of(presence.copies.begin(), presence.copies.end(), known);
}

/// What a function is called that exists and for which every method fails.
CountState uncounted_state(const Presence& presence, bool traceable) {
  if (!traceable) return CountState::notrace;
  if (presence.plain.empty()) return CountState::renamed;
  return presence.plain.size() > 1 ? CountState::duplicate : CountState::sampled;
}

PlanRow plan_row(const TableEntry& entry, const std::string& module, const PlanRequest& request,
                 const KernelView& kernel, bool in_set) {
  PlanRow row;
  row.rate = entry.rate;
  row.function.name = resolve(entry.names, kernel);
  row.function.module = module.empty() ? home_of(row.function.name, kernel) : module;
  const Presence presence = find_entries(row.function.name, row.function.module, kernel);
  const bool run_by_probes = is_run_by_probes(row.function.name);
  const bool traceable = !run_by_probes && is_traceable(presence, kernel);
  const Proxy& proxy = entry.proxy;
  Ladder ladder(row, request, kernel);
  const auto finish = [&](std::string why) {
    if (row.steps.empty())
      leave_to_samples(row, std::move(why));
    else
      apply_step(row);
    return row;
  };

  std::string why;
  if (presence.hookable() == 0) {
    auto missing = explain_absence(entry, row, presence, kernel);
    row.uncounted = missing.state;
    why = std::move(missing.why);
  } else {
    row.uncounted = uncounted_state(presence, traceable);
    if (!in_set) {
      row.uncounted = CountState::sampled;
      why = "not in the core set; --set wide counts it where this kernel can";
    }
  }

  const bool free = proxy.free != FreeCounter::none;
  // The hook is there already: nothing is cheaper. A count with a condition gives way to fentry in the set.
  if (free && (!in_set || proxy.condition.empty() || request.set == FunctionSet::core))
    ladder.tracepoint(proxy, presence.hookable() == 0);
  if (!in_set || (free && !row.steps.empty())) return finish(why);

  if (presence.hookable() > 0 && traceable) {
    ladder.entry_hooks(presence);
    const bool none =
        !kernel.no_fentry.empty() && !kernel.no_kprobe_multi.empty() && !kernel.no_kprobe.empty();
    why = none ? kNoEntryHooks : ladder.obstacle().empty() ? kRefused : ladder.obstacle();
    // A free count beats kprobes.
    if (free && !request.force)
      std::erase_if(row.steps, [](const Step& step) { return step.method != Method::fentry; });
  } else if (presence.hookable() > 0) {
    why = run_by_probes ? kRunByProbes : "the kernel does not let it be traced (notrace)";
  }
  ladder.tracepoint(proxy, presence.hookable() == 0);
  return finish(why);
}

}  // namespace

std::vector<PlanRow> plan_attach(const PlanRequest& request, const KernelView& kernel) {
  std::vector<PlanRow> rows;
  for (const TableEntry& entry : function_table()) {
    const auto named = std::find_if(request.extra.begin(), request.extra.end(), [&](const NamedFunction& f) {
      return std::find(entry.names.begin(), entry.names.end(), f.name) != entry.names.end();
    });
    const bool wanted = named != request.extra.end();
    rows.push_back(plan_row(entry, wanted ? named->module : "", request, kernel,
                            wanted || request.set == FunctionSet::wide));
  }
  for (const NamedFunction& extra : request.extra) {
    const bool known = std::any_of(rows.begin(), rows.end(), [&](const PlanRow& row) {
      return row.function.name == extra.name && (extra.module.empty() || row.function.module == extra.module);
    });
    if (!known)
      rows.push_back(plan_row(TableEntry{{extra.name}, Area::receive, Rate::packet}, extra.module, request,
                              kernel, true));
  }
  return rows;
}

void try_next(PlanRow& row, const std::string& why) {
  row.failures.push_back(fmt::format("{}: {}", name_of(row.function.method), why));
  row.steps.erase(row.steps.begin());
  if (!row.steps.empty()) return apply_step(row);
  leave_to_samples(row, fmt::format("{}", fmt::join(row.failures, "; ")));
}

PlanRow shed_row(const PlanRow& row) {
  PlanRow without = row;
  without.uncounted = CountState::shed;
  leave_to_samples(without, "not counted for now, to keep within --max-overhead");
  return without;
}

PlanRow sliced_row(const PlanRow& row) {
  PlanRow without = row;
  without.uncounted = CountState::estimated;
  leave_to_samples(without, fmt::format("its calls are estimated from slices in which {} counts them",
                                        name_of(row.function.method)));
  return without;
}

void prefer_kprobe_multi(PlanRow& row) {
  std::stable_partition(row.steps.begin(), row.steps.end(),
                        [](const Step& step) { return step.method == Method::kprobe_multi; });
  if (!row.steps.empty()) apply_step(row);
}

double hooks_per_packet(const std::vector<PlanRow>& rows) {
  // The net path's own: receive, transmit, drop; NAPI poll, softirq entry and exit, for a batch of one.
  double sum = 6;
  for (const auto& row : rows) sum += row.function.hooks_per_packet;
  return sum;
}

}  // namespace nettoll
