// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/capabilities.h"
#include "cli/trace_options.h"
#include "collect/bpf_program.h"
#include "collect/btf_facts.h"
#include "collect/features.h"
#include "collect/net_path.h"
#include "symbolize/kernel_symbols.h"

namespace nettoll {
namespace {

Check passed(std::string name, bool required, std::string detail) {
  return {std::move(name), true, required, std::move(detail), {}};
}
Check failed(std::string name, bool required, const Error& error) {
  return {std::move(name), false, required, error.message, error.remedy};
}

Check check_rights(const KernelFs& fs) {
  auto ok = check_tracing_rights(fs);
  return ok ? passed("rights", true, "this process may trace the kernel")
            : failed("rights", true, ok.error());
}

Check check_symbols(const KernelFs& fs) {
  auto symbols = KernelSymbols::load(fs);
  if (!symbols) return failed("kernel symbols", true, symbols.error());
  return passed("kernel symbols", true, fmt::format("{} functions in /proc/kallsyms", symbols->size()));
}

Check check_feature(const char* name, bool required, const Feature& feature, const char* works,
                    const char* without) {
  if (feature.works) return passed(name, required, works);
  return {name, false, required, feature.reason, required ? feature.remedy : std::string(without)};
}

void check_btf(std::vector<Check>& checks) {
  auto btf = BtfFacts::load();
  if (!btf) {
    checks.push_back(failed("BTF", true, btf.error()));
    return;
  }
  checks.push_back(passed("BTF", true, "/sys/kernel/btf/vmlinux describes this kernel"));
  const Features features = probe_features(kFentryProbeTarget);
  checks.push_back(check_feature("raw tracepoints", true, features.raw_tracepoint, "load and attach", ""));
  std::string absent;
  for (const std::string& tracepoint : NetPath::tracepoints()) {
    if (!btf->has_tracepoint(tracepoint)) absent += (absent.empty() ? "" : ", ") + tracepoint;
  }
  checks.push_back(absent.empty() ? passed("network tracepoints", true,
                                           "packets, NAPI polls, softirqs and drops can be counted")
                                  : Check{"network tracepoints", false, true, "this kernel lacks " + absent,
                                          "use a kernel from 5.10 on"});
  checks.push_back(
      check_feature("fentry", false, features.fentry, "calls of single functions can be counted",
                    "calls are counted where a tracepoint stands for the function, see nettoll functions"));
  const size_t reasons = btf->drop_reasons().reasons.size();
  checks.push_back(
      btf->drop_reason_argument()
          ? passed("drop reasons", false, fmt::format("{} reasons by name", reasons))
          : Check{"drop reasons", false, false, "skb:kfree_skb of this kernel gives no reason",
                  "drops are told apart by the function that dropped; kernels from 5.17 on give reasons"});
}

/// Each default event, opened and closed again.
void check_events(const KernelFs& fs, std::vector<Check>& checks) {
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

std::vector<Check> examine_host(const KernelFs& fs) {
  quiet_libbpf();
  std::vector<Check> checks;
  checks.push_back(check_rights(fs));
  checks.push_back(check_symbols(fs));
  check_btf(checks);
  check_events(fs, checks);
  return checks;
}

bool can_run(const std::vector<Check>& checks) {
  return std::all_of(checks.begin(), checks.end(),
                     [](const Check& check) { return check.works || !check.required; });
}

}  // namespace nettoll
