// SPDX-License-Identifier: Apache-2.0
// Which functions of a comparison are shown, and in which order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/cost_diff.h"
#include "report/diff_options.h"

namespace nettoll {

/// Those of `options`, not cut to a number.
std::vector<const FunctionChange*> rows_of(const EventDiff& event, const DiffViewOptions& options);

/// "packet", "call", "second", "share".
std::string_view name_of(DiffPer per);

}  // namespace nettoll
