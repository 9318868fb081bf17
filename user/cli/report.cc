// SPDX-License-Identifier: Apache-2.0
// nettoll report: what a recording, or another tool's capture, says.
#include <fmt/format.h>

#include "cli/capture_file.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/usage.h"
#include "correlate/correlate.h"
#include "correlate/stack_costs.h"
#include "diagnose/observe/observe.h"
#include "report/observations_view.h"
#include "report/report.h"
#include "report/report_json.h"

namespace nettoll {
namespace {

struct ReportCommandOptions {
  std::string file = "nettoll.data";
  SymbolOptions symbols;
  bool json = false;
  std::optional<size_t> limit;
};

Status report(const ReportCommandOptions& options) {
  auto profile = read_capture(options.file, options.symbols);
  if (!profile) return profile.error();
  const CostTable cost = correlate(*profile);
  ReportOptions views;
  views.limit = options.limit;
  const Diagnosis observed = observe(*profile, stack_costs(*profile));
  if (!options.json)
    return print_out(render_report(*profile, cost, views) + "\n" + observations_view(observed));
  nlohmann::json json = report_json(*profile, cost, views);
  json["observations"] = observations_json(observed);
  return print_out(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
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
  command->add_option("--limit", options->limit, "Rows of each table; 0 is all")
      ->check(whole_number(0))
      ->type_name("N");
  command->callback([options, &chosen] {
    chosen = [options] {
      const auto ok = report(*options);
      return ok ? kExitDone : report_error(ok.error());
    };
  });
}

}  // namespace nettoll
