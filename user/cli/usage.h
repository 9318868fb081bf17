// SPDX-License-Identifier: Apache-2.0
// Command lines that are wrong: how that is found and said.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

#include "base/result.h"

namespace nettoll {

/// The usage error of a command line that `app` refused with `error`.
Error describe(const CLI::App& app, const CLI::ParseError& error);

/// Takes whole decimal numbers from `least` to `most`. CLI11 by itself reads "-1" as 2^64 - 1.
CLI::Validator whole_number(uint64_t least, uint64_t most = UINT64_MAX);

}  // namespace nettoll
