// SPDX-License-Identifier: Apache-2.0
// Call chains in the JSON report.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "model/profile.h"
#include "report/chain_report.h"

namespace nettoll {

/// A list of events, each with its functions and their trees; the keys are described in report_json.cc.
nlohmann::json chains_json(const Profile& profile, const std::vector<ChainReport>& reports);

}  // namespace nettoll
