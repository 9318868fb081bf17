// SPDX-License-Identifier: Apache-2.0
// The table of functions.
#pragma once

#include <string>

#include "model/cost_table.h"
#include "model/profile.h"
#include "report/function_selection.h"
#include "report/options.h"

namespace nettoll {

/// The rows as a table with the notes that explain its marks; "" where there are no rows.
std::string function_table(const Profile& profile, const CostTable& cost, const FunctionSelection& selection,
                           const ReportOptions& options);

}  // namespace nettoll
