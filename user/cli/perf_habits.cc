// SPDX-License-Identifier: Apache-2.0
#include "cli/perf_habits.h"

#include <algorithm>
#include <string_view>

namespace nettoll {
namespace {

/// An option of perf-report(1), perf-record(1) or perf-diff(1), and what to do here.
struct Habit {
  std::string_view command;
  std::string_view option;
  const char* remedy;
};

constexpr const char* kSelfFirst = "functions stand by what they took themselves unless --children is given";
constexpr const char* kPlain = "leave it out: the report is plain text, coloured on a terminal alone";
constexpr const char* kGroups =
    "rows are functions; '--by module', path, comm or cpu shows the shares of those";
constexpr const char* kKernel = "give '--kallsyms FILE' with that host's /proc/kallsyms";
constexpr const char* kFunction = "give '--function NAME', or --callers or --callees with a name";
constexpr const char* kFiles = "name both files: 'nettoll diff BEFORE AFTER'";
constexpr const char* kOwnDiff = "'--per packet|call|second|share' tells what costs are divided by";
constexpr const char* kWholeHost =
    "the whole host is traced; 'nettoll record -- COMMAND' does so while a command runs";

constexpr Habit kHabits[] = {
    {"report", "--no-children", kSelfFirst},
    {"report", "--stdio", kPlain},
    {"report", "--stdio2", kPlain},
    {"report", "--tui", "'nettoll top' is a screen, of this host; the report is plain text"},
    {"report", "--sort", kGroups},
    {"report", "-s", kGroups},
    {"report", "--fields", kGroups},
    {"report", "-F", kGroups},
    {"report", "--hierarchy", kGroups},
    {"report", "--vmlinux", kKernel},
    {"report", "-k", kKernel},
    {"report", "--symbols", kFunction},
    {"report", "-S", kFunction},
    {"report", "--symbol-filter", kFunction},
    {"report", "--parent", "give '--callers NAME'"},
    {"report", "-p", "give '--callers NAME'"},
    {"report", "--comms", "give '--comm NAME'"},
    {"report", "-c", "give '--comm NAME'"},
    {"report", "--dsos", "'--by module' shows the shares of programs and libraries"},
    {"report", "-d", "'--by module' shows the shares of programs and libraries"},
    {"report", "--show-nr-samples", "--json has the samples of each function"},
    {"report", "-n", "--json has the samples of each function"},
    {"report", "--inverted", "-g begins at the outermost caller, --call-graph=callee at the function"},
    {"report", "-G", "-g begins at the outermost caller, --call-graph=callee at the function"},
    {"report", "--header", "leave it out: the report begins with it"},
    {"report", "--header-only", "the report begins with it: 'nettoll report FILE | head'"},
    {"diff", "-i", kFiles},
    {"diff", "--input", kFiles},
    {"diff", "-s", kGroups},
    {"diff", "-c", kOwnDiff},
    {"diff", "--compute", kOwnDiff},
    {"record", "--call-graph", "leave it out: the kernel's call chains are recorded always"},
    {"record", "-p", kWholeHost},
    {"record", "--pid", kWholeHost},
    {"record", "-t", kWholeHost},
    {"record", "--tid", kWholeHost},
};

/// perf-report(1), --call-graph: type, limit, order and more, between commas.
bool is_graph(std::string_view value) {
  const std::string_view first = value.substr(0, value.find(','));
  constexpr std::string_view kWords[] = {"caller", "callee", "graph", "fractal", "flat", "folded", "none"};
  return std::find(std::begin(kWords), std::end(kWords), first) != std::end(kWords);
}

/// `-g caller`, `-gcaller` and `--call-graph caller` take the next word for the file.
Status check_graph(std::string_view word, std::string_view next) {
  const bool option = word == "-g" || word == "--call-graph";
  const std::string_view value = option                                      ? next
                                 : word.starts_with("-g") && word.size() > 2 ? word.substr(2)
                                                                             : std::string_view();
  if (!is_graph(value)) return {};
  return usage_error(fmt::format("-g takes no '{}'", value),
                     "-g alone begins at the outermost caller, --call-graph=callee at the function; "
                     "--chain-limit PERCENT leaves out small branches");
}

CLI::App* command_named(CLI::App& app, std::string_view name) {
  const auto named = app.get_subcommands([&](CLI::App* command) { return command->get_name() == name; });
  return named.empty() ? nullptr : named.front();
}

}  // namespace

Status check_perf_habits(CLI::App& app, int argc, const char* const* argv) {
  CLI::App* command = nullptr;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return {};
    if (!command) {
      command = command_named(app, word);
      continue;
    }
    if (command->get_name() == "report") {
      const std::string_view next = i + 1 < argc ? argv[i + 1] : "";
      if (auto fine = check_graph(word, next); !fine) return fine;
    }
    const std::string_view option = word.substr(0, word.find('='));
    for (const Habit& habit : kHabits) {
      if (habit.option == option && habit.command == command->get_name())
        return usage_error(fmt::format("there is no option {}", option), habit.remedy);
    }
  }
  return {};
}

}  // namespace nettoll
