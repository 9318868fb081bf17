// SPDX-License-Identifier: Apache-2.0
// nettoll report: what a recording, or another tool's capture, says.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/near_names.h"
#include "cli/byte_sinks.h"
#include "cli/capture_file.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/report_filters.h"
#include "cli/usage.h"
#include "correlate/correlate.h"
#include "correlate/stack_costs.h"
#include "diagnose/observe/observe.h"
#include "report/chain_report.h"
#include "report/colours.h"
#include "report/report.h"
#include "report/report_json.h"

namespace nettoll {
namespace {

struct ReportCommandOptions {
  std::string file = "nettoll.data";
  SymbolOptions symbols;
  ReportFilters filters;
  ReportOptions views;
  std::string chains;  ///< "", "caller" or "callee"
  std::string by;
  bool json = false;
};

/// Whether who reads standard output sees colours and wants them (https://no-color.org).
bool shows_colours() {
  const char* no = std::getenv("NO_COLOR");
  return prints_to_terminal() && !(no && *no);
}

Grouping grouping_of(const std::string& name) {
  if (name == "cpu") return Grouping::cpu;
  if (name == "module") return Grouping::module;
  return name == "path" ? Grouping::path : Grouping::comm;
}

ReportOptions views_of(const ReportCommandOptions& options) {
  ReportOptions views = options.views;
  if (!options.chains.empty())
    views.chains = options.chains == "callee" ? ChainOrder::callee : ChainOrder::caller;
  if (!options.by.empty()) views.by = grouping_of(options.by);
  views.selection = describe(options.filters);
  views.terminal = terminal_columns();
  return views;
}

Result<Profile> read_selected(const ReportCommandOptions& options) {
  auto while_reading = ingest_filters(options.filters);
  if (!while_reading) return while_reading.error();
  auto selection = selection_of(options.filters);
  if (!selection) return selection.error();
  while_reading->sum_comms = options.by == "comm";
  SymbolOptions symbols = options.symbols;
  symbols.must_serve = true;
  const auto capture = OpenedCapture::open(options.file, symbols);
  if (!capture) return capture.error();
  auto profile = capture->read(*while_reading);
  if (!profile) return profile;
  if (!profile->foreign) {
    if (auto fits = check_for_recording(options.filters); !fits) return fits.error();
  } else {
    selection->cpus.clear();  // left out while it was read
    if (options.by == "comm" && selection->any())
      return usage_error("--by comm: names of threads are summed while a capture is read, and not by stack",
                         "leave out --path and --function");
  }
  if (selection->any()) *profile = select_samples(std::move(*profile), *selection);
  // A capture without any sample says so in its report.
  if (!profile->samples.empty() || (!while_reading->any() && !selection->any())) return profile;
  const auto whole = capture->read();
  if (!whole) return whole.error();
  if (whole->samples.empty()) return profile;
  return nothing_selected(options.filters, *whole, options.file);
}

/// That the functions whose trees were asked for are there. One that the capture does not have at all is
/// misspelt.
Status check_functions(const Profile& profile, const CostTable& cost, const ReportOptions& views,
                       const std::string& file) {
  for (const auto& [option, name] : {std::pair("--callers", &views.callers), {"--callees", &views.callees}}) {
    if (name->empty()) continue;
    auto names = sampled_names(cost);
    if (std::find(names.begin(), names.end(), *name) != names.end()) continue;
    const std::string message = fmt::format("{} {}: no sample has this function", option, *name);
    if (has_function(profile, *name))
      return failure(message, "it was counted, or is left out by a filter; record for longer to see it");
    return usage_error(message,
                       did_you_mean(*name, std::move(names),
                                    fmt::format("'nettoll report {} --limit 0' lists all that do", file)));
  }
  return {};
}

Status report(const ReportCommandOptions& options) {
  const auto profile = read_selected(options);
  if (!profile) return profile.error();
  const CostTable cost = correlate(*profile);
  ReportOptions views = views_of(options);
  if (auto there = check_functions(*profile, cost, views, options.file); !there) return there;
  Diagnosis observed;
  if (!views.focused()) {
    observed = observe(*profile, stack_costs(*profile));
    views.observations = &observed;
  }
  if (options.json) {
    StandardOutSink out;
    return write_report_json(*profile, cost, views, out);
  }
  const std::string text = render_report(*profile, cost, views);
  return print_out(shows_colours() ? with_colours(text) : text);
}

void add_view_options(CLI::App& command, ReportCommandOptions& options) {
  ReportOptions& views = options.views;
  command
      .add_flag("-g{caller},--call-graph{caller}", options.chains,
                "With call chains, from the outermost caller or (--call-graph=callee) the function")
      ->check(CLI::IsMember({"caller", "callee"}));
  command.add_flag("--children", views.children, "Functions by what they took with all that they call");
  command.add_option("--callers", views.callers, "Only who called this function, as a tree")
      ->type_name("NAME");
  command.add_option("--callees", views.callees, "Only what this function called, as a tree")
      ->type_name("NAME");
  command.add_option("--by", options.by, "Only the shares of each CPU, module, path or name of the thread")
      ->check(CLI::IsMember({"cpu", "module", "path", "comm"}))
      ->type_name("WHAT");
  command.add_option("--percent-limit", views.percent_limit, "No functions below this share of every event")
      ->transform(percent())
      ->type_name("PERCENT");
  command.add_option("--chain-limit", views.chain_percent, "No branches of call chains below this share")
      ->transform(percent())
      ->capture_default_str()
      ->type_name("PERCENT");
}

}  // namespace

void add_report(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand(
      "report",
      "Show what a recording or another tool's capture holds: cost by function, path and CPU, drops");
  auto options = std::make_shared<ReportCommandOptions>();
  command
      ->add_option("file,-i,--input", options->file, "The recording, a perf.data, or the text of perf script")
      ->capture_default_str()
      ->type_name("FILE");
  command
      ->add_option("--kallsyms", options->symbols.kallsyms,
                   "Kernel symbols for a perf.data: that host's /proc/kallsyms")
      ->type_name("FILE");
  command->add_option("--symfs", options->symbols.symfs, "Where programs and libraries of a perf.data are")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "As JSON, unrounded");
  command->add_option("--limit", options->views.limit, "Rows of each table; 0 is all")
      ->check(whole_number(0))
      ->type_name("N");
  add_view_options(*command, *options);
  add_filter_options(*command, options->filters);
  command->callback([options, &chosen] {
    chosen = [options] {
      const auto ok = report(*options);
      return ok ? kExitDone : report_error(ok.error());
    };
  });
}

}  // namespace nettoll
