// SPDX-License-Identifier: Apache-2.0
// nettoll diff: what changed from one recording, or another tool's capture, to another.
#include "correlate/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "cli/byte_sinks.h"
#include "cli/capture_file.h"
#include "cli/command.h"
#include "cli/diff_events.h"
#include "cli/diff_flame_graph.h"
#include "cli/output.h"
#include "cli/same_file.h"
#include "cli/usage.h"
#include "correlate/correlate.h"
#include "correlate/diff_gate.h"
#include "model/names.h"
#include "report/diff_json.h"
#include "report/diff_view.h"
#include "report/json_text.h"

namespace nettoll {
namespace {

struct DiffCommandOptions {
  std::string a;
  std::string b;
  SymbolOptions symbols;
  std::vector<std::string> events;
  std::optional<DiffPer> per;
  std::vector<std::string> paths;
  std::vector<std::string> functions;
  std::string fail_on;
  std::string flame_graph;
  bool json = false;
  DiffViewOptions views;
};

/// The paths of a list of names, "network" and "all" among them.
std::vector<Path> paths_of(const std::vector<std::string>& names) {
  std::vector<Path> paths;
  for (const Path path : kAllPaths) {
    const bool wanted = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      if (name == "network") return is_network(path);
      if (name == "all") return path != Path::idle && path != Path::own;
      return name == name_of(path);
    });
    if (wanted) paths.push_back(path);
  }
  return paths;
}

/// The limit, and what it wants costs to be divided by where nothing else does.
Result<std::optional<FailLimit>> read_limit(DiffCommandOptions& options) {
  if (options.fail_on.empty()) return std::optional<FailLimit>();
  auto limit = parse_fail_limit(options.fail_on);
  if (!limit) return limit.error();
  if (limit->per && options.per && *limit->per != *options.per && *options.per != DiffPer::call)
    return usage_error("--fail-on and --per name different divisors", "give one of them");
  if (limit->per && options.per == DiffPer::call)
    return usage_error("--per call leaves the divisor of totals to the files", "give --fail-on without it");
  if (limit->per) options.per = limit->per;
  return std::optional(*limit);
}

/// The file of --flame-graph, before anything is read; none where it is not asked for.
Result<std::optional<FileSink>> flame_graph_file(const DiffCommandOptions& options) {
  std::optional<FileSink> file;
  if (options.flame_graph.empty()) return file;
  if (options.flame_graph == "-")
    return usage_error("--flame-graph - would mix the page with the table", "name a file");
  if (auto fine =
          check_output({"--flame-graph", options.flame_graph},
                       {{"A", options.a}, {"B", options.b}, {"--kallsyms", options.symbols.kallsyms}});
      !fine)
    return fine.error();
  auto created = AtomicFile::create(options.flame_graph);
  if (!created) return created.error();
  file.emplace(std::move(*created));
  return file;
}

Result<int> diff(DiffCommandOptions options) {
  const auto limit = read_limit(options);
  if (!limit) return limit.error();
  auto page = flame_graph_file(options);
  if (!page) return page.error();
  const auto a = read_capture(options.a, options.symbols);
  if (!a) return a.error();
  const auto b = read_capture(options.b, options.symbols);
  if (!b) return b.error();
  const CostTable cost_a = correlate(*a);
  const CostTable cost_b = correlate(*b);
  const DiffInput input_a{*a, cost_a, options.a};
  const DiffInput input_b{*b, cost_b, options.b};
  if (*limit) {
    if (auto there = check_gate(**limit, options.functions, input_a, input_b); !there) return there.error();
  }
  auto result = diff_costs(input_a, input_b, {options.per, paths_of(options.paths), options.functions});
  if (!result) return result.error();
  if (const auto kept = keep_events(*result, input_a, options.events); !kept) return kept.error();
  options.views.rows.terminal = terminal_columns();
  const auto printed = print_out(options.json ? json_text(diff_json(*result, options.views)) + "\n"
                                              : render_diff(*result, options.views));
  // After the notes, which may tell why there is none.
  if (*page) {
    if (const auto written = write_flame_graph(*result, input_a, input_b, **page); !written)
      return written.error();
    if (const auto placed = (*page)->commit(); !placed) return placed.error();
  }
  if (!printed) return printed.error();
  if (!*limit && result->events.empty() && !result->drops)
    return failure("A and B have nothing that compares", "the notes of the comparison say why");
  if (!*limit) return kExitDone;
  const auto found = regressions(*result, **limit);
  if (!found) return found.error();
  for (const std::string& what : *found) say(what);
  return found->empty() ? kExitDone : kExitFindings;
}

}  // namespace

void add_diff(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand(
      "diff", "Show what changed from one recording or capture to another, and whether chance explains it");
  auto options = std::make_shared<DiffCommandOptions>();
  command->add_option("A", options->a, "Before: a recording, a perf.data, or the text of perf script")
      ->required()
      ->type_name("FILE");
  command->add_option("B", options->b, "After")->required()->type_name("FILE");
  command
      ->add_option("-e,--event", options->events,
                   "Compare these events alone, the first being the headline; if not given, all that both "
                   "sampled")
      ->type_name("EVENT,...")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--per", options->per,
          "Divide costs by packets, calls, seconds or the event's total; if not given, the first that both "
          "have of packet, second, share")
      ->transform(CLI::CheckedTransformer(std::map<std::string, DiffPer>{{"packet", DiffPer::packet},
                                                                         {"call", DiffPer::call},
                                                                         {"second", DiffPer::second},
                                                                         {"share", DiffPer::share}})
                      .description(""))
      ->type_name("packet|call|second|share");
  command
      ->add_option("--path", options->paths,
                   "Compare costs in these paths alone: network (if not given), all, rx, tx, send, receive, "
                   "timer, other, user")
      ->delimiter(',')
      ->check(CLI::IsMember({"network", "all", "rx", "tx", "send", "receive", "timer", "other", "user"}))
      ->type_name("PATH,...");
  command
      ->add_option("--function", options->functions,
                   "Show this function in any case, and let --fail-on judge it too")
      ->delimiter(',')
      ->type_name("NAME,...");
  command
      ->add_option(
          "--fail-on", options->fail_on,
          "End with 3 if the total, or a function of --function, grew significantly and by more than "
          "this: +5%, cycles+5%, cycles:packet+5%")
      ->type_name("LIMIT");
  command
      ->add_option("--flame-graph", options->flame_graph,
                   "Also write a differential flame graph of the first event: widths of B, red where it "
                   "costs more than A")
      ->type_name("FILE");
  command->add_flag("--all", options->views.all, "Also what is not significant");
  command
      ->add_option("--sort", options->views.sort,
                   "Functions by change (the significant first), self, inclusive, call or name")
      ->transform(CLI::CheckedTransformer(std::map<std::string, DiffSort>{{"change", DiffSort::change},
                                                                          {"self", DiffSort::self},
                                                                          {"inclusive", DiffSort::inclusive},
                                                                          {"call", DiffSort::call},
                                                                          {"name", DiffSort::name}})
                      .description(""))
      ->type_name("change|self|inclusive|call|name");
  command
      ->add_option("--kallsyms", options->symbols.kallsyms,
                   "Kernel symbols for a perf.data: that host's /proc/kallsyms")
      ->type_name("FILE");
  command->add_option("--symfs", options->symbols.symfs, "Where programs and libraries of a perf.data are")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "As JSON, unrounded");
  command->add_option("--limit", options->views.rows.limit, "Rows of each table; 0 is all")
      ->check(whole_number(0))
      ->type_name("N");
  command->callback([options, &chosen] {
    chosen = [options] {
      const auto status = diff(*options);
      return status ? *status : report_error(status.error());
    };
  });
}

}  // namespace nettoll
