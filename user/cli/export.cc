// SPDX-License-Identifier: Apache-2.0
// nettoll export: a recording, or another tool's capture, in the files of other tools.
#include <unistd.h>

#include <optional>

#include "base/gzip.h"
#include "cli/byte_sinks.h"
#include "cli/capture_file.h"
#include "cli/command.h"
#include "cli/export_events.h"
#include "cli/output.h"
#include "cli/reader_warnings.h"
#include "cli/same_file.h"
#include "correlate/compared_stacks.h"
#include "correlate/correlate.h"
#include "correlate/named_stacks.h"
#include "exporters/profiles/csv.h"
#include "exporters/profiles/flame_graph.h"
#include "exporters/profiles/folded.h"
#include "exporters/profiles/pprof.h"
#include "exporters/profiles/speedscope.h"
#include "ingest/byte_source.h"

namespace nettoll {
namespace {

struct ExportOptions {
  std::string file = "nettoll.data";
  std::string format;
  std::vector<std::string> events;
  std::string output;
  std::string before;
  bool annotate = false;
  SymbolOptions symbols;

  /// Whether an -o that was given is standard output.
  bool to_file() const { return !output.empty() && output != "-"; }
};

/// A profile with what formats are made of.
struct Joined {
  Profile profile;
  CostTable cost;
  NamedStacks stacks;
  std::vector<uint32_t> events;
};

Result<Joined> read_joined(const std::string& path, const SymbolOptions& symbols,
                           const std::vector<std::string>& events) {
  auto profile = read_capture(path, symbols);
  if (!profile) return profile.error();
  for (const std::string& warning : reader_warnings(*profile))
    say(fmt::format("warning: {}: {}", shown_name(path), warning));
  Joined joined;
  joined.profile = std::move(*profile);
  joined.cost = correlate(joined.profile);
  auto chosen = choose_events(joined.profile, joined.cost, events);
  if (!chosen) {
    Error error = chosen.error();
    error.message = fmt::format("{}: {}", path, error.message);
    return error;
  }
  joined.events = std::move(*chosen);
  joined.stacks = named_stacks(joined.profile);
  return joined;
}

/// Formats of one event take the first where none is named.
Result<uint32_t> only_event(const Joined& joined, const ExportOptions& options) {
  if (!options.events.empty() && joined.events.size() > 1)
    return usage_error(fmt::format("the format {} is of one event", options.format), "name one with -e");
  return joined.events.front();
}

Status write_flames(const Joined& now, const ExportOptions& options, ByteSink& sink) {
  const auto event = only_event(now, options);
  if (!event) return event.error();
  if (options.before.empty()) return write_flame_graph({now.profile, now.stacks, *event}, sink);
  // The same event, whatever else the other has.
  const auto before = read_joined(options.before, options.symbols, {now.profile.session.events[*event].name});
  if (!before) return before.error();
  const NamedStacks stacks = renamed(before->stacks, names_in(now.cost, before->cost));
  const FlameGraphDiff graph{{before->profile, stacks, before->events.front(), options.before},
                             {now.profile, now.stacks, *event, options.file},
                             "",
                             before->cost.events[before->events.front()].count,
                             now.cost.events[*event].count,
                             {}};
  return write_flame_graph(graph, sink);
}

Status write_format(const Joined& joined, const ExportOptions& options, ByteSink& sink) {
  if (options.format == "flamegraph") return write_flames(joined, options, sink);
  if (options.format == "folded") {
    const auto event = only_event(joined, options);
    if (!event) return event.error();
    return write_folded(joined.stacks, *event, {options.annotate}, sink);
  }
  if (options.format == "speedscope")
    return write_speedscope(joined.profile, joined.stacks, joined.events, sink);
  if (options.format == "csv") return write_csv(joined.profile, joined.cost, joined.events, sink);
  const auto packed = gzip(pprof_message(joined.profile, joined.cost, joined.stacks, joined.events));
  if (!packed) return packed.error();
  return sink.write(*packed);
}

Status export_profile(const ExportOptions& options) {
  if (!options.before.empty() && options.format != "flamegraph")
    return usage_error("--before is for flame graphs alone", "use it with --format flamegraph");
  if (options.annotate && options.format != "folded")
    return usage_error("--annotate is for folded stacks alone", "use it with --format folded");
  if (options.format == "pprof" && !options.to_file() && ::isatty(STDOUT_FILENO))
    return usage_error("a pprof file is binary and would garble the terminal", "name a file with -o");
  if (auto fine = check_output({"-o", options.to_file() ? options.output : ""},
                               {{"the input", options.file},
                                {"--before", options.before},
                                {"--kallsyms", options.symbols.kallsyms}});
      !fine)
    return fine;
  std::optional<FileSink> file;
  if (options.to_file()) {
    auto created = AtomicFile::create(options.output);
    if (!created) return created.error();
    file.emplace(std::move(*created));
  }
  SymbolOptions symbols = options.symbols;
  symbols.must_serve = options.before.empty();
  const auto joined = read_joined(options.file, symbols, options.events);
  if (!joined) return joined.error();
  StandardOutSink out;
  if (!file) return write_format(*joined, options, out);
  if (auto written = write_format(*joined, options, *file); !written) return written;
  return file->commit();
}

}  // namespace

void add_export(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand(
      "export", "Write a recording or another tool's capture in a format that other tools read");
  auto options = std::make_shared<ExportOptions>();
  command
      ->add_option("file,-i,--input", options->file, "The recording, a perf.data, or the text of perf script")
      ->capture_default_str()
      ->type_name("FILE");
  command->add_option("--format", options->format, "folded, flamegraph, pprof, speedscope or csv")
      ->required()
      ->check(CLI::IsMember({"folded", "flamegraph", "pprof", "speedscope", "csv"}))
      ->type_name("FORMAT");
  command
      ->add_option("-e,--event", options->events,
                   "These events alone; folded and flamegraph take one, else the first that ran")
      ->type_name("EVENT,...")
      ->allow_extra_args(false);
  command->add_option("-o,--output", options->output, "The file; else, or for -, standard output")
      ->type_name("FILE");
  command
      ->add_option("--before", options->before,
                   "With flamegraph: colour by the change since this recording or capture")
      ->type_name("FILE");
  command->add_flag("--annotate", options->annotate, "With folded: mark kernel functions by _[k]");
  command
      ->add_option("--kallsyms", options->symbols.kallsyms,
                   "Kernel symbols for a perf.data: that host's /proc/kallsyms")
      ->type_name("FILE");
  command->add_option("--symfs", options->symbols.symfs, "Where programs and libraries of a perf.data are")
      ->type_name("DIR");
  command->callback([options, &chosen] {
    chosen = [options] {
      const auto ok = export_profile(*options);
      return ok ? kExitDone : report_error(ok.error());
    };
  });
}

}  // namespace nettoll
