// SPDX-License-Identifier: Apache-2.0
// What diagnosis says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nettoll {

/// note: worth knowing; warning: costs something now; critical: packets are lost, or a CPU has no time left.
enum class Severity : uint8_t { note, warning, critical };

/// One number that a finding rests on.
struct Evidence {
  std::string what;  ///< "packets of queue 0"
  double value = 0;
  std::string unit;                   ///< "packets", "%", "CPU"; empty for a plain count
  std::optional<double> error{};      ///< its standard error in the same unit, where it is an estimate
  std::optional<uint64_t> samples{};  ///< that the estimate rests on
  bool operator==(const Evidence&) const = default;
};

/// How far the data carries a finding. low: do not act on it alone.
enum class Confidence : uint8_t { low, medium, high };

struct Finding {
  std::string id;         ///< "rss_not_in_effect": stays the same between versions
  std::string condition;  ///< what was found to hold, in a few words
  Severity severity = Severity::note;
  std::string subject;  ///< "eth0", "CPU 3", "host"
  std::vector<Evidence> evidence;
  std::string explanation;
  /// What it costs, from the join: cycles or CPU time a packet here and elsewhere.
  std::vector<Evidence> cost;
  /// Commands and changes for a person to review, never run.
  std::vector<std::string> remedy;
  /// Of findings that rest on samples; empty for those that do not.
  std::optional<Confidence> confidence;
  std::vector<std::string> doubts;  ///< what lowers the confidence
  bool operator==(const Finding&) const = default;
};

/// One question that was asked, so that no finding is no gap.
struct Check {
  std::string id;  ///< that of the finding it would give
  enum class Outcome : uint8_t { fine, found, unknown } outcome = Outcome::fine;
  std::string why;  ///< why it could not be answered; empty else
  bool operator==(const Check&) const = default;
};

struct Diagnosis {
  std::vector<Finding> findings;  ///< most severe first
  std::vector<Check> checks;
  bool operator==(const Diagnosis&) const = default;
};

}  // namespace nettoll
