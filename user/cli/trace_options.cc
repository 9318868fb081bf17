// SPDX-License-Identifier: Apache-2.0
#include "cli/trace_options.h"

#include <fnmatch.h>

#include <algorithm>
#include <unordered_map>

#include "cli/usage.h"
#include "collect/perf_event_name.h"
#include "symbolize/symbol_names.h"

namespace nettoll {
namespace {

/// One --function may not take more hooks than this: attaching thousands is a slip of the pattern.
constexpr size_t kMaxMatches = 500;

constexpr std::pair<const char*, Method> kMethods[] = {{"fentry", Method::fentry},
                                                       {"kprobe.multi", Method::kprobe_multi},
                                                       {"kprobe_multi", Method::kprobe_multi},
                                                       {"kprobe", Method::kprobe},
                                                       {"tracepoint", Method::tracepoint}};

/// "module:name" as ftrace writes it; the module is "" where there is none.
NamedFunction split_module(const std::string& pattern) {
  const auto colon = pattern.find(':');
  if (colon == std::string::npos) return {pattern, ""};
  return {pattern.substr(colon + 1), pattern.substr(0, colon)};
}

bool is_pattern(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

/// Functions whose names match, as they are named on the command line: with the module if that was.
void add_matches(const NamedFunction& pattern, const KernelSymbols& symbols,
                 std::vector<NamedFunction>& names) {
  const auto take = [&](const Hit& hit) {
    if (hit.kind != SymbolKind::kernel || (!pattern.module.empty() && hit.module != pattern.module)) return;
    names.push_back({std::string(base_name(hit.name)), pattern.module});
  };
  const bool glob = is_pattern(pattern.name);
  symbols.for_each_function([&](const Hit& hit) {
    const std::string_view name = base_name(hit.name);
    if (glob ? ::fnmatch(pattern.name.c_str(), std::string(name).c_str(), 0) == 0 : name == pattern.name)
      take(hit);
  });
}

Result<std::vector<NamedFunction>> resolve_functions(const std::vector<std::string>& patterns,
                                                     const KernelSymbols& symbols) {
  std::vector<NamedFunction> names;
  for (const std::string& text : patterns) {
    const NamedFunction pattern = split_module(text);
    const size_t before = names.size();
    add_matches(pattern, symbols, names);
    if (names.size() != before) continue;
    if (pattern.module.empty() || pattern.name.empty() || is_pattern(pattern.name))
      return usage_error(fmt::format("no kernel function matches '{}'", text),
                         "nettoll functions lists what can be counted");
    names.push_back(pattern);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.size() > kMaxMatches)
    return usage_error(
        fmt::format("--function matches {} functions, more than {}", names.size(), kMaxMatches),
        "choose a narrower pattern");
  return names;
}

/// Whether there is a function of that name, be it under one that the compiler made of it.
bool has_function(std::string_view name, const KernelSymbols& symbols) {
  if (symbols.count_named(name)) return true;
  bool found = false;
  symbols.for_each_function([&](const Hit& hit) { found |= base_name(hit.name) == name; });
  return found;
}

/// Checks the names of --exact, which takes no patterns: each function costs two programs a call.
Status check_exact(const std::vector<std::string>& names, const KernelSymbols& symbols) {
  if (names.size() > kMostExactFunctions)
    return usage_error(
        fmt::format("--exact names {} functions, more than {}", names.size(), kMostExactFunctions),
        "choose fewer");
  for (const std::string& name : names) {
    if (name.empty()) return usage_error("--exact has an empty name");
    if (!has_function(name, symbols))
      return usage_error(fmt::format("--exact: there is no kernel function '{}'", name),
                         "nettoll functions lists what can be counted; patterns are not taken here");
  }
  return {};
}

}  // namespace

void add_counting_options(CLI::App& command, TraceOptions& options, const std::string& default_set) {
  options.set = default_set;
  command
      .add_option("--set", options.set,
                  "Functions to count: core takes only the hooks that packets, softirqs and drops need; wide "
                  "the whole table")
      ->check(CLI::IsMember({"core", "wide"}).description(""))
      ->type_name("core|wide")
      ->capture_default_str();
  command
      .add_option(
          "--function", options.functions,
          "Count this function too; a name, a pattern with * and ?, or module:name, which may be loaded "
          "later")
      ->allow_extra_args(false)  // what follows is the command of record
      ->type_name("NAME");
  command.add_option("--method", options.method, "Count by this method alone")
      ->check(
          CLI::IsMember({"fentry", "kprobe.multi", "kprobe_multi", "kprobe", "tracepoint"}).description(""))
      ->type_name("fentry|kprobe.multi|kprobe|tracepoint");
}

void add_sampling_options(CLI::App& command, TraceOptions& options) {
  command
      .add_option("-e,--event", options.events,
                  "Events to sample, as perf names them, comma separated; none: no sampling "
                  "[cpu-clock,cycles,instructions,cache-misses,branch-misses]")
      ->allow_extra_args(false)
      ->type_name("EVENT");
  auto* frequency = command.add_option("-F,--freq", options.frequency, "Samples a second on each CPU [99]")
                        ->check(whole_number(1, 100000))
                        ->type_name("HZ");
  command.add_option("-c,--count", options.period, "Events a sample, in place of -F")
      ->check(whole_number(1))
      ->excludes(frequency)
      ->type_name("N");
  command.add_option("-C,--cpu", options.cpus, "Trace these CPUs alone, such as 0-3,8")->type_name("LIST");
  // Habits from perf, which change nothing: the whole host is traced always, and stacks are recorded.
  command.add_flag("-a,--all-cpus")
      ->description("As of perf; the whole host is traced always")
      ->configurable(false);
  command.add_flag("-g")->description("As of perf; call stacks are recorded always")->configurable(false);
}

void add_exact_options(CLI::App& command, TraceOptions& options) {
  auto* exact =
      command
          .add_option("--exact", options.exact,
                      "Measure each call of these functions from entry to exit, comma separated: time, and "
                      "the events of -e")
          ->allow_extra_args(false)
          ->delimiter(',')
          ->type_name("NAME");
  command.add_option("--exact-rate", options.exact_rate, "Measure one call in N of them [1]")
      ->check(whole_number(1, 1'000'000'000))
      ->needs(exact)
      ->type_name("N");
}

Result<PlanRequest> plan_request(const TraceOptions& options, const KernelSymbols& symbols) {
  PlanRequest request;
  request.set = options.set == "core" ? FunctionSet::core : FunctionSet::wide;
  for (const auto& [name, method] : kMethods) {
    if (options.method == name) request.force = method;
  }
  auto extra = resolve_functions(options.functions, symbols);
  if (!extra) return extra.error();
  request.extra = std::move(*extra);
  return request;
}

Result<CollectorConfig> collector_config(const TraceOptions& options, const KernelSymbols& symbols,
                                         const KernelFs& fs) {
  CollectorConfig config;
  auto plan = plan_request(options, symbols);
  if (!plan) return plan.error();
  config.plan = std::move(*plan);
  config.count_queues = options.queues;
  config.in_slices = options.in_slices && config.plan.set == FunctionSet::wide;
  if (auto ok = check_exact(options.exact, symbols); !ok) return ok.error();
  config.exact.functions = options.exact;
  config.exact.one_in = options.exact_rate;
  if (options.cpus) {
    auto cpus = parse_cpu_list(*options.cpus);
    if (!cpus || cpus->ids.empty())
      return usage_error(fmt::format("-C: '{}' is not a list of CPUs", *options.cpus),
                         "write one such as 0-3,8");
    config.sampler.cpus = std::move(*cpus);
  }
  if (options.events == std::vector<std::string>{"none"}) return config;
  SampleRate rate;
  if (options.period)
    rate.period = *options.period;
  else
    rate.frequency = options.frequency.value_or(kDefaultFrequency);
  auto events = plan_events(options.events, rate, fs);
  if (!events) return events.error();
  config.sampler.events = std::move(*events);
  return config;
}

FunctionEntries function_entries(const KernelSymbols& symbols) {
  // Copies that the compiler made are found by base name; one walk over all names serves every later
  // question.
  auto copies = std::make_shared<std::unordered_map<std::string_view, std::vector<FunctionEntry>>>();
  const auto entry_of = [](const Hit& hit) {
    return FunctionEntry{std::string(hit.name), std::string(hit.module), hit.start};
  };
  symbols.for_each_function([&](const Hit& hit) {
    const std::string_view base = base_name(hit.name);
    if (hit.kind != SymbolKind::kernel || base == hit.name || hit.name.find(".cold") != std::string::npos)
      return;
    (*copies)[base].push_back(entry_of(hit));
  });
  return [&symbols, copies, entry_of](std::string_view name) {
    std::vector<FunctionEntry> entries;
    symbols.for_each_named(name, [&](const Hit& hit) {
      if (hit.kind == SymbolKind::kernel) entries.push_back(entry_of(hit));
    });
    if (const auto found = copies->find(name); found != copies->end())
      entries.insert(entries.end(), found->second.begin(), found->second.end());
    return entries;
  };
}

}  // namespace nettoll
