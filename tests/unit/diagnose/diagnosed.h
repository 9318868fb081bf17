// SPDX-License-Identifier: Apache-2.0
// What tests ask of a diagnosis.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "correlate/correlate.h"
#include "diagnose/diagnose.h"
#include "fakes/host_builder.h"
#include "fakes/profile_builder.h"

namespace nettoll {

/// Ids of all findings, sorted, each once a subject.
inline std::vector<std::string> ids(const Diagnosis& diagnosis) {
  std::vector<std::string> all;
  for (const auto& finding : diagnosis.findings) all.push_back(finding.id);
  std::sort(all.begin(), all.end());
  return all;
}

inline const Finding* find(const Diagnosis& diagnosis, const std::string& id,
                           const std::string& subject = "") {
  for (const auto& finding : diagnosis.findings) {
    if (finding.id == id && (subject.empty() || finding.subject == subject)) return &finding;
  }
  return nullptr;
}

inline const Check* check(const Diagnosis& diagnosis, const std::string& id) {
  for (const auto& one : diagnosis.checks) {
    if (one.id == id) return &one;
  }
  return nullptr;
}

inline bool has_remedy(const Finding* finding, const std::string& part) {
  return finding && std::any_of(finding->remedy.begin(), finding->remedy.end(), [&](const std::string& line) {
           return line.find(part) != std::string::npos;
         });
}

/// Everything that a finding says.
inline std::string words(const Finding& finding) {
  std::string text = finding.subject + "\n" + finding.condition + "\n" + finding.explanation + "\n";
  for (const auto& one : finding.evidence)
    text += one.what + " " + std::to_string(one.value) + one.unit + "\n";
  for (const auto& one : finding.cost) text += one.what + "\n";
  for (const auto& line : finding.remedy) text += line + "\n";
  return text;
}

inline Diagnosis diagnose(const HostBuilder& host) {
  return diagnose(host.state, nullptr, nullptr);
}

/// With a trace.
inline Diagnosis diagnose(const HostState& window, const Profile& profile) {
  const CostTable costs = correlate(profile);
  return diagnose(window, &profile, &costs);
}

inline Drops drop(const std::string& reason, const std::string& function, uint64_t packets,
                  const std::string& device = "eth0", const std::string& protocol = "ipv4") {
  return {reason, "core", function, kVmlinux, protocol, device, 0, packets};
}

}  // namespace nettoll
