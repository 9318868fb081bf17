// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <sstream>

#include "base/log.h"
#include "cli/command.h"
#include "cli/help_formatter.h"
#include "cli/output.h"
#include "cli/perf_habits.h"
#include "cli/process_setup.h"
#include "cli/usage.h"
#include "cli/version.h"

namespace nettoll {

int report_error(const Error& error) {
  say(error.text());
  return error.kind == ErrorKind::usage ? kExitUsage : kExitFailed;
}

namespace {

int run(int argc, char** argv) {
  CLI::App app{
      "What every kernel networking function costs the hardware: BPF counts, perf_event samples, joined.",
      "nettoll"};
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("-V,--version", "nettoll " + version());
  // None at all is found below: CLI11 would complain of that too where the command is misspelt.
  app.require_subcommand(0, 1);
  app.fallthrough();
  bool verbose = false;
  app.add_flag("-v,--verbose", verbose, "Say more about what is loaded and attached");
  Command chosen;
  add_diagnose(app, chosen);
  add_diff(app, chosen);
  add_doctor(app, chosen);
  add_drops(app, chosen);
  add_export(app, chosen);
  add_functions(app, chosen);
  add_record(app, chosen);
  add_report(app, chosen);
  add_serve(app, chosen);
  add_top(app, chosen);
  refuse_empty_values(app);
  if (auto fine = check_arguments(app, argc, argv); !fine) return report_error(fine.error());
  if (auto fine = check_perf_habits(app, argc, argv); !fine) return report_error(fine.error());
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    std::ostringstream text;
    app.exit(asked, text, text);
    std::string shown = text.str();
    shown.erase(shown.find_last_not_of('\n') + 1);
    const auto printed = print_out(shown + "\n");
    return printed ? kExitDone : report_error(printed.error());
  } catch (const CLI::ParseError& error) {
    return report_error(describe(app, error));
  }
  if (!chosen) return report_error(usage_error("no command is given", "nettoll --help lists the commands"));
  set_up_log(verbose ? spdlog::level::debug : spdlog::level::info);
  return chosen();
}

}  // namespace
}  // namespace nettoll

int main(int argc, char** argv) {
  nettoll::prepare_process();
  try {
    return nettoll::run(argc, argv);
  } catch (const std::exception& error) {
    // Of libraries, mostly for want of memory. What is attached is gone by now.
    return nettoll::report_error(nettoll::failure(error.what()));
  }
}
