// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor_checks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/capabilities.h"
#include "cli/trace_options.h"
#include "collect/bpf_program.h"
#include "collect/btf_facts.h"
#include "collect/collector.h"
#include "collect/net_path.h"
#include "model/names.h"
#include "symbolize/kernel_symbols.h"

namespace nettoll {
namespace {

HostCheck passed(std::string name, bool required, std::string detail) {
  return {std::move(name), true, required, std::move(detail), {}};
}
HostCheck failed(std::string name, bool required, const Error& error) {
  return {std::move(name), false, required, error.message, error.remedy};
}

HostCheck check_rights(const KernelFs& fs) {
  auto ok = check_tracing_rights(fs);
  return ok ? passed("rights", true, "this process may trace the kernel")
            : failed("rights", true, ok.error());
}

HostCheck check_symbols(const KernelFs& fs) {
  auto symbols = KernelSymbols::load(fs);
  if (!symbols) return failed("kernel symbols", true, symbols.error());
  return passed("kernel symbols", true, fmt::format("{} functions in /proc/kallsyms", symbols->size()));
}

HostCheck check_feature(const char* name, bool required, const Feature& feature, const char* works,
                        const char* without) {
  if (feature.works) return passed(name, required, works);
  return {name, false, required, feature.reason, required ? feature.remedy : std::string(without)};
}

/// "by fentry 98, by tracepoint 12"
std::string list_methods(const std::vector<PlanRow>& rows) {
  std::map<Method, size_t> methods;
  for (const PlanRow& row : rows) {
    if (is_counted(row.function.state)) ++methods[row.function.method];
  }
  std::vector<std::string> parts;
  for (const auto& [method, n] : methods) parts.push_back(fmt::format("{} by {}", n, name_of(method)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// What the plan makes of the functions of the table: how many are counted and by what, and which are not,
/// and why. `nettoll functions` attaches them to see.
void check_functions(const std::vector<PlanRow>& rows, std::vector<HostCheck>& checks) {
  std::map<CountState, std::map<std::string, std::vector<std::string>>> uncounted;
  size_t counted = 0;
  for (const PlanRow& row : rows) {
    const CountedFunction& f = row.function;
    if (is_counted(f.state))
      ++counted;
    else
      uncounted[f.state][f.condition].push_back(f.name);
  }
  checks.push_back(counted > 0 ? passed("functions", false,
                                        fmt::format("{} of {} can be counted: {}", counted, rows.size(),
                                                    list_methods(rows)))
                               : HostCheck{"functions", false, false, "none can be counted", ""});
  for (const auto& [state, reasons] : uncounted) {
    checks.push_back(
        {fmt::format("functions {}", name_of(state)), false, false, list_uncounted(reasons), ""});
  }
}

void check_drop_reasons(const CountingPlan& plan, std::vector<HostCheck>& checks) {
  if (!plan.drop_reason_argument) {
    checks.push_back(
        {"drop reasons", false, false, "skb:kfree_skb of this kernel gives no reason",
         "drops are told apart by the function that dropped; kernels from 5.17 on give reasons"});
    return;
  }
  std::map<uint32_t, size_t> by_subsystem;
  for (const auto& [value, name] : plan.drop_reasons.reasons) ++by_subsystem[value >> 16];
  std::vector<std::string> parts;
  for (const auto& [subsystem, n] : by_subsystem) {
    const auto name = plan.drop_reasons.subsystems.find(subsystem);
    parts.push_back(
        fmt::format("{} {}", n, name == plan.drop_reasons.subsystems.end() ? "core" : name->second));
  }
  checks.push_back(passed(
      "drop reasons", false,
      fmt::format("{} reasons by name ({})", plan.drop_reasons.reasons.size(), fmt::join(parts, ", "))));
}

void check_counting(const KernelFs& fs, std::vector<HostCheck>& checks) {
  auto btf = BtfFacts::load();
  if (!btf) {
    checks.push_back(failed("BTF", true, btf.error()));
    return;
  }
  checks.push_back(passed("BTF", true, "/sys/kernel/btf/vmlinux describes this kernel"));
  std::string absent;
  for (const std::string& tracepoint : NetPath::tracepoints()) {
    if (!btf->has_tracepoint(tracepoint)) absent += (absent.empty() ? "" : ", ") + tracepoint;
  }
  auto symbols = KernelSymbols::load(fs);
  if (!symbols) return;  // said already
  const PlanRequest wide{FunctionSet::wide, {}, {}};
  auto plan = make_counting_plan(wide, function_entries(*symbols), fs);
  if (!plan) {
    checks.push_back(failed("counting", true, plan.error()));
    return;
  }
  const Features& features = plan->features;
  checks.push_back(check_feature("raw tracepoints", true, features.raw_tracepoint, "load and attach", ""));
  checks.push_back(absent.empty() ? passed("network tracepoints", true,
                                           "packets, NAPI polls, softirqs and drops can be counted")
                                  : HostCheck{"network tracepoints", false, true,
                                              "this kernel lacks " + absent, "use a kernel from 5.10 on"});
  checks.push_back(check_feature("fentry", false, features.fentry, "calls of single functions can be counted",
                                 "functions are counted by the next method that works"));
  checks.push_back(check_feature("kprobe.multi", false, features.kprobe_multi,
                                 "calls of many functions can be counted with one hook", ""));
  checks.push_back(check_feature("kprobe", false, features.kprobe,
                                 "calls of functions that BTF does not describe can be counted", ""));
  check_functions(plan->rows, checks);
  check_drop_reasons(*plan, checks);
}

/// Each default event, opened and closed again.
void check_events(const KernelFs& fs, std::vector<HostCheck>& checks) {
  auto events = plan_events({}, {kDefaultFrequency, 0}, fs);
  if (!events) {
    checks.push_back(failed("events", true, events.error()));
    return;
  }
  SamplerConfig config;
  config.events = *events;
  auto sampler = Sampler::open(config, fs);
  if (!sampler) {
    checks.push_back(failed("sampling", true, sampler.error()));
    return;
  }
  for (const EventRequest& request : *events) {
    const std::string& name = request.spec.name;
    const bool required = name == "cpu-clock";
    const auto& missing = sampler->missing();
    const auto found = std::find_if(missing.begin(), missing.end(),
                                    [&](const UnavailableEvent& event) { return event.event.name == name; });
    if (found == missing.end())
      checks.push_back(passed("event " + name, required,
                              fmt::format("sampled on CPUs {}", format_cpu_list(sampler->cpus()))));
    else
      checks.push_back({"event " + name, false, required, found->event.reason, ""});
  }
}

}  // namespace

std::string list_uncounted(const std::map<std::string, std::vector<std::string>>& by_reason) {
  constexpr size_t kMostNamed = 4;
  std::vector<std::string> sentences;
  for (const auto& [reason, names] : by_reason) {
    const std::string who = names.size() <= kMostNamed
                                ? fmt::format("{}", fmt::join(names, ", "))
                                : fmt::format("{} (nettoll functions lists them)", names.size());
    // Reports point to this very list.
    const std::string_view why = std::string_view(reason).substr(0, reason.find(", see nettoll doctor"));
    sentences.push_back(fmt::format("{}: {}", who, why));
  }
  return fmt::format("{}", fmt::join(sentences, "; "));
}

std::vector<HostCheck> examine_host(const KernelFs& fs) {
  quiet_libbpf();
  std::vector<HostCheck> checks;
  checks.push_back(check_rights(fs));
  checks.push_back(check_symbols(fs));
  check_counting(fs, checks);
  check_events(fs, checks);
  return checks;
}

bool can_run(const std::vector<HostCheck>& checks) {
  return std::all_of(checks.begin(), checks.end(),
                     [](const HostCheck& check) { return check.works || !check.required; });
}

}  // namespace nettoll
