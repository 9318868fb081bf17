// SPDX-License-Identifier: Apache-2.0
// A comparison as JSON, unrounded.
#pragma once

#include <nlohmann/json.hpp>

#include "model/cost_diff.h"
#include "report/diff_options.h"

namespace nettoll {

/// Rows as `options` say, without a limit where none is given. The schema is in the source file.
nlohmann::json diff_json(const CostDiff& diff, const DiffViewOptions& options = {});

}  // namespace nettoll
