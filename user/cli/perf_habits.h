// SPDX-License-Identifier: Apache-2.0
// What people type who know perf.
#pragma once

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace nettoll {

/// Fails on an option of perf's command of the same name that the command of `app` has another way for; the
/// error names that way. Options that neither has are left to the parser.
Status check_perf_habits(CLI::App& app, int argc, const char* const* argv);

}  // namespace nettoll
