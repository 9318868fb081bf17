// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_event_name.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/near_names.h"
#include "collect/perf_generic_event.h"
#include "collect/perf_pmu_event.h"

namespace nettoll {
namespace {

/// All letters that perf takes as modifiers, so that "sched:sched_switch" is known for a tracepoint.
constexpr std::string_view kModifierLetters = "ukhGHpPSDIWeb";

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

struct Modifiers {
  bool user = false;
  bool kernel = false;
  uint8_t precise = 0;
};

Result<Modifiers> parse_modifiers(std::string_view letters, std::string_view name) {
  Modifiers modifiers;
  for (const char letter : letters) {
    if (letter == 'u') {
      modifiers.user = true;
    } else if (letter == 'k') {
      modifiers.kernel = true;
    } else if (letter == 'p' && modifiers.precise < 3) {
      ++modifiers.precise;
    } else {
      return usage_error(fmt::format("modifier '{}' of event {} is not known here", letter, name),
                         "k, uk and up to three p are");
    }
  }
  if (modifiers.user && !modifiers.kernel) {
    return usage_error(
        fmt::format("event {} asks for user mode alone, whose code nettoll does not look into", name),
        "leave the modifier out for kernel mode, or use uk for both");
  }
  return modifiers;
}

Error unknown_event(std::string_view name, const std::vector<CpuPmu>& pmus, const KernelFs& fs) {
  auto names = generic_event_names();
  for (const CpuPmu& pmu : pmus) {
    for (auto& event : pmu_event_names(pmu.name, fs)) names.push_back(std::move(event));
  }
  return usage_error(
      fmt::format("there is no event '{}'", name),
      did_you_mean(name, std::move(names),
                   "use a name of 'perf list', a raw code such as r01c4 or pmu/event=0x3c,umask=0x1/"));
}

Error tracepoint_error(std::string_view name) {
  return usage_error(
      fmt::format("'{}' looks like a tracepoint or breakpoint, which nettoll does not sample", name),
      "a colon after an event is for modifiers: cycles:uk");
}

/// Targets of a generic or raw event that every CPU PMU has. On a hybrid CPU one for each PMU.
std::vector<EventTarget> cpu_targets(uint32_t type, uint64_t config, const std::vector<CpuPmu>& pmus) {
  if (!is_hybrid(pmus)) {
    EventTarget target;
    target.type = type;
    target.config = config;
    if (pmus.size() == 1) target.pmu = pmus[0].name;
    return {target};
  }
  std::vector<EventTarget> targets;
  for (const CpuPmu& pmu : pmus) {
    EventTarget target;
    target.pmu = pmu.name;
    target.cpus = pmu.cpus;
    // PERF_PMU_TYPE_SHIFT: a generic event names its PMU in the upper half of config; a raw one is of that
    // type.
    target.type = type == PERF_TYPE_RAW ? pmu.type : type;
    target.config = type == PERF_TYPE_RAW ? config : config | uint64_t{pmu.type} << 32;
    targets.push_back(std::move(target));
  }
  return targets;
}

std::optional<uint64_t> raw_code(std::string_view name) {
  if (name.size() < 2 || name[0] != 'r') return std::nullopt;
  uint64_t code = 0;
  const auto [end, ec] = std::from_chars(name.data() + 1, name.data() + name.size(), code, 16);
  if (ec != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return code;
}

EventSpec generic_spec(const GenericEvent& event, const std::vector<CpuPmu>& pmus) {
  EventSpec spec;
  spec.name = event.name;
  if (event.type != PERF_TYPE_SOFTWARE) {
    spec.targets = cpu_targets(event.type, event.config, pmus);
    return spec;
  }
  const bool clock = event.config == PERF_COUNT_SW_CPU_CLOCK || event.config == PERF_COUNT_SW_TASK_CLOCK;
  spec.kind = clock ? EventKind::clock : EventKind::software;
  EventTarget target;
  target.type = event.type;
  target.config = event.config;
  spec.targets.push_back(std::move(target));
  return spec;
}

/// An event that the CPU PMUs name in sysfs, asked for without its PMU.
Result<EventSpec> named_by_cpu_pmu(std::string_view name, const std::vector<CpuPmu>& pmus,
                                   const KernelFs& fs) {
  EventSpec spec;
  spec.name = name;
  for (const CpuPmu& pmu : pmus) {
    const auto names = pmu_event_names(pmu.name, fs);
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    bool cpu_pmu = false;
    auto target = parse_pmu_terms(pmu.name, name, fs, cpu_pmu);
    if (!target) return target.error();
    spec.targets.push_back(std::move(*target));
  }
  if (spec.targets.empty()) return unknown_event(name, pmus, fs);
  return spec;
}

Result<EventSpec> parse_plain(std::string_view name, const KernelFs& fs) {
  const auto pmus = find_cpu_pmus(fs);
  if (const auto event = find_generic_event(name)) return generic_spec(*event, pmus);
  if (const auto code = raw_code(name)) {
    EventSpec spec;
    spec.name = name;
    spec.targets = cpu_targets(PERF_TYPE_RAW, *code, pmus);
    return spec;
  }
  return named_by_cpu_pmu(name, pmus, fs);
}

Result<EventSpec> parse_pmu(std::string_view pmu, std::string_view terms, const KernelFs& fs) {
  bool cpu_pmu = false;
  auto target = parse_pmu_terms(pmu, terms, fs, cpu_pmu);
  if (!target) return target.error();
  EventSpec spec;
  spec.name = fmt::format("{}/{}/", pmu, terms);
  spec.kind = cpu_pmu ? EventKind::cpu : EventKind::other;
  spec.targets.push_back(std::move(*target));
  return spec;
}

Status apply(const Modifiers& modifiers, EventSpec& spec) {
  const bool clock = spec.kind == EventKind::clock;
  if (clock && modifiers.kernel && !modifiers.user) {
    return usage_error(
        fmt::format("{} advances by time whatever runs, so it cannot count kernel mode alone", spec.name),
        "leave the modifier out: samples in user mode are told apart");
  }
  if (modifiers.precise && (clock || spec.kind == EventKind::software)) {
    return usage_error(fmt::format("modifier p is for events of a PMU, and {} is none", spec.name));
  }
  spec.kernel_only = !clock && !modifiers.user;
  spec.precise = modifiers.precise;
  std::string letters = modifiers.user && !clock ? "uk" : "";
  letters.append(modifiers.precise, 'p');
  if (!letters.empty()) spec.name += (spec.name.back() == '/' ? "" : ":") + letters;
  return {};
}

}  // namespace

Result<std::vector<std::string>> split_event_list(std::string_view text) {
  std::vector<std::string> items;
  bool inside = false;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '/') inside = !inside;
    if (i < text.size() && (text[i] == '{' || text[i] == '}')) {
      return usage_error(fmt::format("'{}' has a group, but nettoll opens each event by itself", text),
                         "leave the braces out");
    }
    if (i < text.size() && (text[i] != ',' || inside)) continue;
    const auto item = trim(text.substr(start, i - start));
    if (item.empty()) return usage_error(fmt::format("'{}' has an empty event name", text));
    items.emplace_back(item);
    start = i + 1;
  }
  if (inside) return usage_error(fmt::format("'{}' lacks the second slash of pmu/terms/", text));
  return items;
}

Result<EventSpec> parse_event(std::string_view whole, const KernelFs& fs) {
  const std::string_view name = trim(whole);
  if (name.empty()) return usage_error("an event name is empty");
  std::string_view base = name, letters;
  const auto slash = name.find('/');
  const auto last_slash = name.rfind('/');
  if (slash != std::string_view::npos) {
    if (slash == last_slash)
      return usage_error(fmt::format("'{}' lacks the second slash of pmu/terms/", name));
    base = name.substr(0, last_slash + 1);
    letters = name.substr(last_slash + 1);
    if (letters.starts_with(':')) letters.remove_prefix(1);
  } else if (const auto colon = name.rfind(':'); colon != std::string_view::npos) {
    base = name.substr(0, colon);
    letters = name.substr(colon + 1);
    const bool modifiers = letters.find_first_not_of(kModifierLetters) == std::string_view::npos;
    if (!modifiers && !find_generic_event(base)) return tracepoint_error(name);
    if (base.find(':') != std::string_view::npos) return tracepoint_error(name);
    if (letters.empty()) return usage_error(fmt::format("'{}' has no modifier after its colon", name));
  }
  const auto modifiers = parse_modifiers(letters, name);
  if (!modifiers) return modifiers.error();
  auto spec = slash == std::string_view::npos
                  ? parse_plain(base, fs)
                  : parse_pmu(base.substr(0, slash), base.substr(slash + 1, base.size() - slash - 2), fs);
  if (!spec) return spec;
  if (auto done = apply(*modifiers, *spec); !done) return done.error();
  return spec;
}

}  // namespace nettoll
