// SPDX-License-Identifier: Apache-2.0
// A rule: one question, asked of the facts.
#pragma once

#include <string>
#include <vector>

#include "diagnose/facts.h"
#include "model/finding.h"

namespace nettoll {

/// Collects what a rule has to say. A rule looks at one subject after another (devices, CPUs, sockets) and
/// says of each one of these.
class Verdict {
 public:
  explicit Verdict(std::string id) : id_(std::move(id)) {}

  /// The problem is there. The finding's id is set here.
  void found(Finding finding);
  /// The subject was judged and has no such problem.
  void fine() { judged_ = true; }
  /// The subject works, and what would tell is missing: a gap.
  void unknown(std::string why);
  /// The subject does nothing that could be judged: no gap where another one was judged.
  void idle(std::string why);

  Check check() const;
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::string id_;
  std::vector<Finding> findings_;
  bool judged_ = false;
  bool found_ = false;
  std::string unknown_, idle_;
};

/// What a rule cannot do without. Where it is missing the rule is not asked, and its check is unknown.
enum class Needs : uint8_t {
  window,    ///< differences of the host's counters over a time
  trace,     ///< a Profile
  costs,     ///< a Profile and its CostTable
  anything,  ///< a window or a Profile
};

struct Rule {
  const char* id;  ///< of its check and its findings
  Needs needs;
  void (*ask)(const Facts&, Verdict&);
};

/// Asks one rule.
Verdict ask(const Rule& rule, const Facts& facts);

/// Calls `judge(const NicCase&)` for each device; says what is missing where there is none.
template <typename Judge>
void each_nic(const Facts& facts, Verdict& verdict, Judge judge) {
  if (facts.nics.empty()) verdict.unknown("no hardware network device is up");
  for (const auto& nic : facts.nics) judge(nic);
}

}  // namespace nettoll
