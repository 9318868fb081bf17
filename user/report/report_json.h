// SPDX-License-Identifier: Apache-2.0
// A window as a program reads it.
#pragma once

#include <nlohmann/json.hpp>

#include "base/byte_sink.h"
#include "model/cost_table.h"
#include "model/profile.h"
#include "report/options.h"

namespace nettoll {

/// The same content as the text report, unrounded. Keys are stable; a key whose thing was not measured is
/// absent, never 0 or null. Event amounts are in `*_events`, or `*_ns` for events that count time. The keys
/// are described in report_json.cc.
nlohmann::json report_json(const Profile& profile, const CostTable& cost, const ReportOptions& options = {});

/// The text of report_json(), indented by two, with a line's end. Functions, which may be many, are written
/// one by one: they never stand in memory together.
Status write_report_json(const Profile& profile, const CostTable& cost, const ReportOptions& options,
                         ByteSink& sink);

}  // namespace nettoll
