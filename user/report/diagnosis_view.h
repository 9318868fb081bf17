// SPDX-License-Identifier: Apache-2.0
// Findings and losses, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/finding.h"
#include "model/host_state.h"
#include "model/ledger.h"

namespace nettoll {

/// Characters of a line of text where no terminal says how many it has room for.
inline constexpr size_t kTextWidth = 110;

/// One finding with its evidence, what it costs and what to review; explanations in lines of about `width`
/// characters.
std::string finding_view(const Finding& finding, size_t width = kTextWidth);

/// id, condition, severity, subject, evidence [] (what, value, unit?, standard_error?, samples?),
/// explanation, cost [] like evidence, remedy [], confidence?, doubts? [].
nlohmann::json finding_json(const Finding& finding);
/// [] of id, outcome, why?.
nlohmann::json checks_json(const std::vector<Check>& checks);

/// Findings with their evidence and what to do, and the checks beside them.
std::string diagnosis_view(const Diagnosis& diagnosis, const HostState& window, size_t width = kTextWidth);

/// Losses by layer, what was no loss, and the balances.
std::string ledger_view(const Ledger& ledger, size_t width = kTextWidth);

/// "schema", "seconds"; "findings" [] (finding_json()); "checks" [] (checks_json()); "ledger" (losses and
/// noise [] (layer, device?, netns?, netns_name?, reason, source, packets), balances [] (what, received, delivered,
/// forwarded, merged, dropped, forwarded_then_dropped, unexplained, without?), unmeasured []); "notes" [].
nlohmann::json diagnosis_json(const Diagnosis& diagnosis, const Ledger& ledger, const HostState& window);

}  // namespace nettoll
