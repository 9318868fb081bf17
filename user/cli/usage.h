// SPDX-License-Identifier: Apache-2.0
// Command lines that are wrong: how that is found and said.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

#include "base/result.h"

namespace nettoll {

/// The usage error of a command line that `app` refused with `error`.
Error describe(const CLI::App& app, const CLI::ParseError& error);

/// Refuses "": an unset shell variable would else be taken as if the option were not there.
CLI::Validator not_empty();

/// Has every option of every command of `app` that takes a value refuse an empty one. Words that are given by
/// place alone, as a command to run, may be empty. To be called when all commands are there.
void refuse_empty_values(CLI::App& app);

/// Fails on an option of a command of `app` that ends in its '=', which CLI11 takes as one without its value:
/// the next word would be it.
Status check_arguments(CLI::App& app, int argc, const char* const* argv);

/// Takes a number of percent from 0 to 100, with or without its sign, and leaves the number alone.
CLI::Validator percent();

/// Takes whole decimal numbers from `least` to `most`. CLI11 by itself reads "-1" as 2^64 - 1.
CLI::Validator whole_number(uint64_t least, uint64_t most = UINT64_MAX);

}  // namespace nettoll
