// SPDX-License-Identifier: Apache-2.0
// What every command shares: how it ends, and how it is named to CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/result.h"

namespace nettoll {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
/// Of diagnose: something was found. Of diff: something grew beyond the limit.
inline constexpr int kExitFindings = 3;

/// A command that was chosen on the command line, ready to run; gives the exit status.
using Command = std::function<int()>;

/// Prints "nettoll: <error>" to standard error and gives the exit status for its kind.
int report_error(const Error& error);

/// Each adds one subcommand to `app` and sets `chosen` when that is parsed. The options live as long as
/// `app`.
void add_diagnose(CLI::App& app, Command& chosen);
void add_diff(CLI::App& app, Command& chosen);
void add_doctor(CLI::App& app, Command& chosen);
void add_drops(CLI::App& app, Command& chosen);
void add_export(CLI::App& app, Command& chosen);
void add_functions(CLI::App& app, Command& chosen);
void add_record(CLI::App& app, Command& chosen);
void add_report(CLI::App& app, Command& chosen);
void add_serve(CLI::App& app, Command& chosen);
void add_top(CLI::App& app, Command& chosen);

}  // namespace nettoll
