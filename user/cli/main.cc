// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/version.h"

namespace nettoll {

int report_error(const Error& error) {
  fmt::print(stderr, "nettoll: {}\n", error.text());
  return error.kind == ErrorKind::usage ? kExitUsage : kExitFailed;
}

namespace {

int run(int argc, char** argv) {
  CLI::App app{
      "What every kernel networking function costs the hardware: BPF counts, perf_event samples, joined."};
  app.set_version_flag("-V,--version", "nettoll " + version());
  app.require_subcommand(1);
  app.fallthrough();
  bool verbose = false;
  app.add_flag("-v,--verbose", verbose, "Say more about what is loaded and attached");
  Command chosen;
  add_doctor(app, chosen);
  add_functions(app, chosen);
  add_record(app, chosen);
  add_report(app, chosen);
  add_serve(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitDone : kExitUsage;
  }
  set_up_log(verbose ? spdlog::level::debug : spdlog::level::info);
  return chosen();
}

}  // namespace
}  // namespace nettoll

int main(int argc, char** argv) {
  return nettoll::run(argc, argv);
}
