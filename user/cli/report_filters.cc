// SPDX-License-Identifier: Apache-2.0
#include "cli/report_filters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/cpu_set.h"
#include "base/near_names.h"
#include "ingest/byte_source.h"
#include "model/names.h"

namespace nettoll {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

std::vector<std::string> path_names() {
  std::vector<std::string> names;
  for (const Path path : kAllPaths) names.emplace_back(name_of(path));
  return names;
}

std::optional<uint64_t> parse_seconds(std::string_view text) {
  constexpr size_t kDigits = 9;
  const size_t dot = std::min(text.find('.'), text.size());
  uint64_t seconds = 0;
  const auto whole = std::from_chars(text.data(), text.data() + dot, seconds);
  if (whole.ec != std::errc() || whole.ptr != text.data() + dot || seconds > UINT64_MAX / kSecond - 1)
    return std::nullopt;
  if (dot == text.size()) return seconds * kSecond;
  std::string digits(text.substr(dot + 1));
  if (digits.empty() || digits.size() > kDigits) return std::nullopt;
  digits.resize(kDigits, '0');
  uint64_t part = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + kDigits, part);
  if (end.ec != std::errc() || end.ptr != digits.data() + kDigits) return std::nullopt;
  return seconds * kSecond + part;
}

}  // namespace

void add_filter_options(CLI::App& command, ReportFilters& filters) {
  command.add_option("--path", filters.paths, "Only samples of these paths")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(path_names()))
      ->type_name("PATH,..");
  command.add_option("--function", filters.function, "Only samples with this function on their stack")
      ->type_name("NAME");
  command.add_option("-C,--cpu", filters.cpus, "Only samples of these CPUs: 0-3,8")->type_name("LIST");
  command.add_option("--comm", filters.comm, "Only threads of this name; other tools' captures alone")
      ->type_name("NAME");
  command
      .add_option("--time", filters.times,
                  "Only samples from A to B, seconds of the capture's clock; other tools' captures alone")
      ->type_name("A,B");
}

Result<std::pair<uint64_t, uint64_t>> parse_time_range(std::string_view text) {
  const auto wrong = usage_error(fmt::format("--time {}: is not a range of time", text),
                                 "give seconds as 'perf script' prints them, from,to: 12.5,13.25");
  const size_t comma = text.find(',');
  if (comma == text.npos || text.size() == 1) return wrong;
  std::pair<uint64_t, uint64_t> range(0, UINT64_MAX);
  const std::string_view from = text.substr(0, comma);
  const std::string_view to = text.substr(comma + 1);
  if (!from.empty()) {
    const auto time = parse_seconds(from);
    if (!time) return wrong;
    range.first = *time;
  }
  if (!to.empty()) {
    const auto time = parse_seconds(to);
    if (!time) return wrong;
    range.second = *time;
  }
  if (range.first > range.second)
    return usage_error(fmt::format("--time {}: ends before it begins", text), "give the earlier time first");
  return range;
}

Result<IngestOptions> ingest_filters(const ReportFilters& filters) {
  IngestOptions options;
  if (!filters.comm.empty()) options.comm = filters.comm;
  if (!filters.cpus.empty()) {
    auto cpus = parse_cpu_list(filters.cpus);
    if (!cpus) return usage_error("--cpu " + filters.cpus + ": " + cpus.error().message, cpus.error().remedy);
    options.cpus = std::move(cpus->ids);
  }
  if (!filters.times.empty()) {
    const auto times = parse_time_range(filters.times);
    if (!times) return times.error();
    options.times = *times;
  }
  return options;
}

Result<SampleSelection> selection_of(const ReportFilters& filters) {
  SampleSelection selection;
  for (const Path path : kAllPaths) {
    if (std::find(filters.paths.begin(), filters.paths.end(), name_of(path)) != filters.paths.end())
      selection.paths.push_back(path);
  }
  selection.function = filters.function;
  if (!filters.cpus.empty()) {
    auto cpus = parse_cpu_list(filters.cpus);
    if (!cpus) return cpus.error();
    selection.cpus = std::move(cpus->ids);
  }
  return selection;
}

Status check_for_recording(const ReportFilters& filters) {
  if (!filters.comm.empty())
    return usage_error(
        "--comm: a recording of nettoll does not hold the names of threads",
        "filter a perf.data by them, or record one command alone: 'nettoll record -- COMMAND'");
  if (!filters.times.empty())
    return usage_error("--time: a recording of nettoll is one window, and its samples have no times",
                       "filter a perf.data by time, or record for a shorter time");
  return {};
}

bool has_function(const Profile& profile, std::string_view name) {
  const auto named = [&](const auto& row) { return row.name == name; };
  return std::any_of(profile.symbols.begin(), profile.symbols.end(), named) ||
         std::any_of(profile.session.functions.begin(), profile.session.functions.end(),
                     [&](const auto& f) { return f.name == name && is_counted(f.state); });
}

Error nothing_selected(const ReportFilters& filters, const Profile& whole, const std::string& file) {
  if (!filters.function.empty() && !has_function(whole, filters.function)) {
    std::vector<std::string> names;
    for (const Symbol& symbol : whole.symbols) names.push_back(symbol.name);
    return usage_error(fmt::format("--function {}: no sample has this function", filters.function),
                       did_you_mean(filters.function, std::move(names),
                                    fmt::format("'nettoll report {} --limit 0' lists all that do", file)));
  }
  uint64_t samples = 0;
  CpuSet cpus;
  for (const StackSamples& row : whole.samples) {
    samples += row.samples;
    cpus.ids.push_back(row.cpu);
  }
  std::sort(cpus.ids.begin(), cpus.ids.end());
  cpus.ids.erase(std::unique(cpus.ids.begin(), cpus.ids.end()), cpus.ids.end());
  std::string has = fmt::format("{} has {} samples", shown_name(file), samples);
  if (!whole.foreign || whole.foreign->cpus_known)
    has += fmt::format(" on CPU{} {}", cpus.size() == 1 ? "" : "s", format_cpu_list(cpus));
  if (whole.foreign && whole.foreign->first_ns) {
    const uint64_t first = *whole.foreign->first_ns;
    const uint64_t last = first + whole.duration_ns;
    has += fmt::format(", from {}.{:09} to {}.{:09} s", first / kSecond, first % kSecond, last / kSecond,
                       last % kSecond);
  }
  if (!filters.comm.empty()) has += fmt::format("; 'nettoll report {} --by comm' lists its threads", file);
  if (!filters.function.empty())
    has += fmt::format("; 'nettoll report {} --limit 0' lists its functions", file);
  if (!filters.paths.empty()) has += fmt::format("; 'nettoll report {} --by path' lists its paths", file);
  return failure("no sample is of " + describe(filters), std::move(has));
}

std::string describe(const ReportFilters& filters) {
  std::vector<std::string> words;
  if (!filters.paths.empty()) words.push_back(fmt::format("path {}", fmt::join(filters.paths, " or ")));
  if (!filters.function.empty()) words.push_back("function " + filters.function);
  if (!filters.cpus.empty()) words.push_back("CPU " + filters.cpus);
  if (!filters.comm.empty()) words.push_back("comm " + filters.comm);
  if (!filters.times.empty()) words.push_back("time " + filters.times);
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace nettoll
