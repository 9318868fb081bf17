// SPDX-License-Identifier: Apache-2.0
// What a frame is called in stacks, where no column beside it tells its module.
#pragma once

#include <string>

#include "model/function.h"

namespace nettoll {

/// A function's name. Code without one is told by the file name of its module in brackets, "[libc.so.6]", as
/// stackcollapse-perf.pl does, so that what different modules took stays apart; "[unknown]" where that is not
/// known either.
std::string frame_name(const Symbol& symbol);

}  // namespace nettoll
