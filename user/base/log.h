// SPDX-License-Identifier: Apache-2.0
// One logger, to standard error, so that standard output holds results alone.
#pragma once

#include <spdlog/spdlog.h>

namespace nettoll {

/// Sends spdlog's default logger to standard error with time stamps. `level` is one of spdlog's names.
void set_up_log(spdlog::level::level_enum level);

}  // namespace nettoll
