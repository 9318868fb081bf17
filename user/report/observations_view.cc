// SPDX-License-Identifier: Apache-2.0
#include "report/observations_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

#include "base/printable.h"
#include "report/wrap_words.h"

namespace nettoll {

std::string observations_view(const Diagnosis& observations, size_t width) {
  std::string text = "Observations\n";
  if (observations.findings.empty()) text += "none\n";
  for (const Finding& finding : observations.findings) text += "\n" + finding_view(finding, width);
  std::map<std::string, std::vector<std::string>> unknown;
  for (const Check& check : observations.checks) {
    if (check.outcome == Check::Outcome::unknown) unknown[check.why].push_back(check.id);
  }
  if (!unknown.empty()) text += "\n";
  for (const auto& [why, ids] : unknown)
    text += fmt::format("not judged  {}\n",
                        wrap_words(fmt::format("{}: {}", why, fmt::join(ids, ", ")), 12, width));
  return printable_text(text);
}

nlohmann::json observations_json(const Diagnosis& observations) {
  nlohmann::json findings = nlohmann::json::array();
  for (const Finding& finding : observations.findings) findings.push_back(finding_json(finding));
  return {{"findings", std::move(findings)}, {"checks", checks_json(observations.checks)}};
}

}  // namespace nettoll
