// SPDX-License-Identifier: Apache-2.0
// nettoll functions: what can be counted here, and how.
#include <nlohmann/json.hpp>

#include "base/capabilities.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/trace_options.h"
#include "model/names.h"
#include "report/counted_functions_view.h"
#include "report/json_text.h"

namespace nettoll {
namespace {

struct FunctionsOptions {
  TraceOptions trace;
  bool json = false;
};

/// `set`; `hooks_per_packet`: firings of hooks for a packet received, one sent and one dropped, at most;
/// `functions`: for each its name (`function`), `state` and `method` as model/function.h has them, and
/// whether a hook is taken for it alone (`own_hook`). `module`, `tracepoint` and `condition` (where the count
/// differs from the calls, or why there is none) where there is one; `divides_costs` where calls are counted.
nlohmann::json to_json(const std::vector<PlanRow>& rows, const std::string& set) {
  nlohmann::json list = nlohmann::json::array();
  for (const PlanRow& row : rows) {
    const CountedFunction& f = row.function;
    nlohmann::json item = {{"function", f.name},
                           {"state", name_of(f.state)},
                           {"method", name_of(f.method)},
                           {"own_hook", row.needs_hook()}};
    if (!f.module.empty()) item["module"] = f.module;
    if (!f.tracepoint.empty()) item["tracepoint"] = f.tracepoint;
    if (!f.condition.empty()) item["condition"] = f.condition;
    if (is_counted(f.state)) item["divides_costs"] = f.denominator;
    list.push_back(std::move(item));
  }
  return {{"set", set}, {"hooks_per_packet", hooks_per_packet(rows)}, {"functions", std::move(list)}};
}

std::string to_text(const std::vector<PlanRow>& rows, const std::string& set) {
  std::vector<CountedFunction> functions;
  for (const PlanRow& row : rows) functions.push_back(row.function);
  return counted_functions_view(functions, set, hooks_per_packet(rows));
}

Status functions(const FunctionsOptions& options) {
  const KernelFs fs;
  if (auto ok = check_tracing_rights(fs); !ok) return ok;
  auto symbols = KernelSymbols::load(fs);
  if (!symbols) return symbols.error();
  auto request = plan_request(options.trace, *symbols);
  if (!request) return request.error();
  auto plan = try_counting(*request, function_entries(*symbols), fs);
  if (!plan) return plan.error();
  return print_out(options.json ? json_text(to_json(plan->rows, options.trace.set)) + "\n"
                                : to_text(plan->rows, options.trace.set));
}

}  // namespace

void add_functions(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("functions", "List the functions that can be counted here, and how");
  auto options = std::make_shared<FunctionsOptions>();
  add_counting_options(*command, options->trace, "wide");
  command->add_flag("--json", options->json, "As JSON");
  command->callback([options, &chosen] {
    chosen = [options] {
      const auto ok = functions(*options);
      return ok ? kExitDone : report_error(ok.error());
    };
  });
}

}  // namespace nettoll
