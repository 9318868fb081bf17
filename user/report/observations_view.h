// SPDX-License-Identifier: Apache-2.0
// What was observed in a profile, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/finding.h"
#include "report/diagnosis_view.h"

namespace nettoll {

/// The section "Observations": each with its evidence, how sure it is, and what to look at; then what could
/// not be judged, and why.
std::string observations_view(const Diagnosis& observations, size_t width = kTextWidth);

/// "findings" [] (finding_json()), "checks" [] (checks_json()).
nlohmann::json observations_json(const Diagnosis& observations);

}  // namespace nettoll
