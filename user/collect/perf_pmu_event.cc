// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_pmu_event.h"

#include <algorithm>
#include <charconv>

namespace nettoll {
namespace {

constexpr std::string_view kDevices = "/sys/bus/event_source/devices";

std::string folder(std::string_view pmu) {
  return fmt::format("{}/{}", kDevices, pmu);
}

/// A C number: decimal, or hexadecimal after 0x.
std::optional<uint64_t> c_number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  uint64_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (ec != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// The CPUs of a PMU that has a `cpus` file; empty where there is none.
std::optional<CpuSet> pmu_cpus(std::string_view pmu, const KernelFs& fs) {
  const auto line = fs.read_line(folder(pmu) + "/cpus");
  if (!line) return std::nullopt;
  const auto set = parse_cpu_list(*line);
  return set ? std::optional(*set) : std::nullopt;
}

/// x86 names its PMUs cpu, cpu_core and cpu_atom; everyone else's CPU PMUs can be told by their `cpus` file.
bool counts_cpus(std::string_view pmu, const KernelFs& fs) {
  return pmu == "cpu" || fs.exists(folder(pmu) + "/cpus");
}

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

/// One comma-separated term.
struct Term {
  std::string_view name;
  std::optional<std::string_view> value;
};

std::vector<Term> split_terms(std::string_view text) {
  std::vector<Term> terms;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const auto item = text.substr(0, comma);
    const auto equals = item.find('=');
    terms.push_back({item.substr(0, equals), equals == std::string_view::npos
                                                 ? std::nullopt
                                                 : std::optional(item.substr(equals + 1))});
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return terms;
}

/// Applies terms to a target. An event of the `events` folder is a list of terms itself.
class TermReader {
 public:
  TermReader(std::string_view pmu, const KernelFs& fs, EventTarget& target)
      : pmu_(pmu), fs_(fs), target_(target) {}

  Status apply(std::string_view text, bool inside_event) {
    for (const Term& term : split_terms(text)) {
      if (auto done = apply(term, inside_event); !done) return done;
    }
    return {};
  }

 private:
  Status apply(const Term& term, bool inside_event) {
    if (term.name.empty()) return usage_error(fmt::format("an empty term in the event of PMU {}", pmu_));
    if (!term.value && !inside_event && is_event(term.name)) {
      const auto text = fs_.read_line(fmt::format("{}/events/{}", folder(pmu_), term.name));
      if (!text) return text.error();
      return apply(*text, true);
    }
    // A term without a value sets its bits to 1, as in "cpu/event=1,edge/".
    const auto value = c_number(term.value.value_or("1"));
    if (!value) {
      return usage_error(
          fmt::format("'{}' of term {} in the event of PMU {} is no number", *term.value, term.name, pmu_));
    }
    if (uint64_t* whole = config_word(term.name)) {
      *whole = *value;
      return {};
    }
    const auto format = fs_.read_line(fmt::format("{}/format/{}", folder(pmu_), term.name));
    if (term.name.find('/') != std::string_view::npos || !format) return unknown(term.name);
    const auto placed = place_bits(*format, *value, target_);
    if (!placed) {
      return usage_error(fmt::format("term {} of PMU {}: {}", term.name, pmu_, placed.error().message));
    }
    return {};
  }

  bool is_event(std::string_view name) const {
    const auto names = pmu_event_names(pmu_, fs_);
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  uint64_t* config_word(std::string_view name) {
    if (name == "config") return &target_.config;
    if (name == "config1") return &target_.config1;
    if (name == "config2") return &target_.config2;
    return nullptr;
  }

  Error unknown(std::string_view name) const {
    std::string remedy;
    if (const auto formats = fs_.list(folder(pmu_) + "/format"); formats && !formats->empty())
      remedy = fmt::format("its terms are {}", join(*formats));
    if (const auto events = pmu_event_names(pmu_, fs_); !events.empty())
      remedy += fmt::format("{}its events are {}", remedy.empty() ? "" : "; ", join(events));
    return usage_error(fmt::format("PMU {} has no term or event '{}'", pmu_, name), std::move(remedy));
  }

  std::string_view pmu_;
  const KernelFs& fs_;
  EventTarget& target_;
};

}  // namespace

std::vector<CpuPmu> find_cpu_pmus(const KernelFs& fs) {
  std::vector<CpuPmu> pmus;
  const auto names = fs.list(kDevices);
  if (!names) return pmus;
  for (const std::string& name : *names) {
    if (!counts_cpus(name, fs)) continue;
    const auto type = fs.read_number(folder(name) + "/type");
    auto cpus = pmu_cpus(name, fs);
    if (!type || (cpus && cpus->empty())) continue;
    pmus.push_back({name, static_cast<uint32_t>(*type), std::move(cpus)});
  }
  return pmus;
}

bool is_hybrid(const std::vector<CpuPmu>& pmus) {
  return std::any_of(pmus.begin(), pmus.end(), [](const CpuPmu& p) { return p.name.starts_with("cpu_"); });
}

std::vector<std::string> pmu_event_names(std::string_view pmu, const KernelFs& fs) {
  auto names = fs.list(folder(pmu) + "/events");
  if (!names) return {};
  // name.scale, name.unit, name.per-pkg and name.snapshot describe an event, they are none.
  std::erase_if(*names, [](const std::string& name) { return name.find('.') != std::string::npos; });
  return std::move(*names);
}

Result<EventTarget> parse_pmu_terms(std::string_view pmu, std::string_view terms, const KernelFs& fs,
                                    bool& cpu_pmu) {
  const bool plain = !pmu.empty() && pmu.find('/') == std::string_view::npos && pmu.front() != '.';
  const auto type = plain ? fs.read_number(folder(pmu) + "/type") : Result<long>(failure(""));
  if (!type) {
    const auto names = fs.list(kDevices);
    return usage_error(fmt::format("this host has no PMU '{}'", pmu),
                       names && !names->empty() ? fmt::format("it has {}", join(*names)) : "");
  }
  // Such a PMU counts for a whole socket, so that no sample of it belongs to a function.
  if (fs.exists(folder(pmu) + "/cpumask")) {
    return usage_error(fmt::format("PMU {} counts for a whole socket and cannot be sampled", pmu));
  }
  EventTarget target;
  target.pmu = pmu;
  target.type = static_cast<uint32_t>(*type);
  target.cpus = pmu_cpus(pmu, fs);
  cpu_pmu = counts_cpus(pmu, fs);
  if (auto done = TermReader(pmu, fs, target).apply(terms, false); !done) return done.error();
  return target;
}

Status place_bits(std::string_view format, uint64_t value, EventTarget& target) {
  const auto bad = [&] { return failure(fmt::format("'{}' is no format of bits", format)); };
  const auto colon = format.find(':');
  if (colon == std::string_view::npos) return bad();
  const auto word_name = format.substr(0, colon);
  uint64_t* word = word_name == "config"    ? &target.config
                   : word_name == "config1" ? &target.config1
                   : word_name == "config2" ? &target.config2
                                            : nullptr;
  if (!word) return bad();
  uint64_t rest = value, result = *word;
  for (std::string_view ranges = format.substr(colon + 1); !ranges.empty();) {
    const auto comma = ranges.find(',');
    const auto range = ranges.substr(0, comma);
    ranges = comma == std::string_view::npos ? std::string_view{} : ranges.substr(comma + 1);
    const auto dash = range.find('-');
    const auto first = c_number(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : c_number(range.substr(dash + 1));
    if (!first || !last || *first > *last || *last > 63) return bad();
    for (uint64_t bit = *first; bit <= *last; ++bit, rest >>= 1)
      result = (result & ~(1ULL << bit)) | (rest & 1) << bit;
  }
  if (rest != 0) return failure(fmt::format("{:#x} does not fit into {}", value, format));
  *word = result;
  return {};
}

}  // namespace nettoll
