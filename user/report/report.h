// SPDX-License-Identifier: Apache-2.0
// A window as a person reads it.
#pragma once

#include <string>

#include "model/cost_table.h"
#include "model/profile.h"
#include "report/options.h"

namespace nettoll {

/// All views one after another: header, functions by cost, functions of the receive and of the transmit path,
/// efficiency, exact costs, paths, CPUs, NAPI, queues, softirqs, drops. UTF-8, lines end in '\n', 120 columns
/// where names permit. What was not measured prints as "-"; an estimate from too few samples has a "~" before
/// it.
std::string render_report(const Profile& profile, const CostTable& cost, const ReportOptions& options = {});

}  // namespace nettoll
