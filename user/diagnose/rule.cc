// SPDX-License-Identifier: Apache-2.0
#include "diagnose/rule.h"

namespace nettoll {
namespace {

/// Why the rule cannot be asked; empty where it can.
std::string missing(Needs needs, const Facts& facts) {
  const bool window = facts.seconds() > 0;
  const bool trace = facts.profile && facts.profile->duration_ns > 0;
  switch (needs) {
    case Needs::window:
      return window ? "" : "no window: counters since boot tell nothing about now";
    case Needs::trace:
      return trace ? "" : "nothing was traced";
    case Needs::costs:
      return trace && facts.costs ? "" : "nothing was sampled";
    case Needs::anything:
      return window || trace ? "" : "no window, and nothing was traced";
  }
  return "";
}

}  // namespace

void Verdict::found(Finding finding) {
  finding.id = id_;
  found_ = true;
  findings_.push_back(std::move(finding));
}

void Verdict::unknown(std::string why) {
  if (unknown_.empty()) unknown_ = std::move(why);
}

void Verdict::idle(std::string why) {
  if (idle_.empty()) idle_ = std::move(why);
}

Check Verdict::check() const {
  if (found_) return {id_, Check::Outcome::found, ""};
  if (!unknown_.empty()) return {id_, Check::Outcome::unknown, unknown_};
  if (judged_) return {id_, Check::Outcome::fine, ""};
  return {id_, Check::Outcome::unknown, idle_.empty() ? "there was nothing to judge" : idle_};
}

Verdict ask(const Rule& rule, const Facts& facts) {
  Verdict verdict(rule.id);
  const std::string why = missing(rule.needs, facts);
  if (why.empty()) {
    rule.ask(facts, verdict);
  } else {
    verdict.unknown(why);
  }
  return verdict;
}

}  // namespace nettoll
