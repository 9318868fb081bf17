// SPDX-License-Identifier: Apache-2.0
// A comparison as a person reads it.
#pragma once

#include <string>

#include "model/cost_diff.h"
#include "report/diff_options.h"

namespace nettoll {

/// Header and notes, then for each event: total, paths, modules, functions; drops at the end. What is
/// significant has a "*". Without `all`, only that is shown of paths, modules and functions, and the
/// functions that were named.
std::string render_diff(const CostDiff& diff, const DiffViewOptions& options = {});

}  // namespace nettoll
