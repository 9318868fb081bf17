// SPDX-License-Identifier: Apache-2.0
#include "report/trust.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "report/format.h"

namespace nettoll {
namespace {

constexpr double kNoticed = 0.01;
constexpr double kMuch = 0.1;
constexpr double kHalf = 0.5;
constexpr double kLongestTickNs = 10e6;
constexpr uint64_t kFewSamples = 1000;
constexpr uint64_t kVeryFewSamples = 100;

struct Reason {
  Trust trust = Trust::good;
  std::string text;
};

Trust by_part(double part) {
  return part >= kMuch ? Trust::poor : part >= kNoticed ? Trust::fair : Trust::good;
}

void judge_losses(const SamplingFacts& facts, std::vector<Reason>& reasons) {
  if (facts.lost == 0) return;
  uint64_t samples = facts.left_out;
  for (const auto& event : facts.events) samples += event.samples;
  const double part = static_cast<double>(facts.lost) / static_cast<double>(facts.lost + samples);
  reasons.push_back({by_part(part), fmt::format("{} of all samples were lost", format_percent(part))});
}

void judge_ending(Ending ending, std::vector<Reason>& reasons) {
  if (ending == Ending::cut)
    reasons.push_back({Trust::fair, "the capture was cut: what stood at its end is missing"});
  if (ending == Ending::damaged)
    reasons.push_back(
        {Trust::poor, "the capture is damaged: what was read may be wrong, and the rest is missing"});
}

void judge_throttling(const SamplingFacts& facts, std::vector<Reason>& reasons) {
  if (facts.throttled == 0) return;
  if (facts.duration_ns == 0 || facts.cpus == 0) {
    reasons.push_back({Trust::fair, fmt::format("sampling was throttled {} times", facts.throttled)});
    return;
  }
  const double time = static_cast<double>(facts.duration_ns) * facts.cpus;
  const double part = std::min(1.0, static_cast<double>(facts.throttled) * kLongestTickNs / time);
  reasons.push_back(
      {by_part(part), fmt::format("sampling was throttled {} times, which hides up to {} of the "
                                  "time; record at a lower rate",
                                  facts.throttled, format_percent(part))});
}

void judge_event(const SamplingFacts::OfEvent& event, std::vector<Reason>& reasons) {
  if (event.unsampled >= kMuch)
    reasons.push_back(
        {event.unsampled >= kHalf ? Trust::poor : Trust::fair,
         fmt::format("{} of {} went by without a sample", format_percent(event.unsampled), event.name)});
  if (event.samples >= kFewSamples) return;
  const bool very = event.samples < kVeryFewSamples;
  reasons.push_back(
      {very ? Trust::poor : Trust::fair, fmt::format("{} has only {} samples", event.name, event.samples)});
}

}  // namespace

std::string_view name_of(Trust trust) {
  switch (trust) {
    case Trust::good:
      return "good";
    case Trust::fair:
      return "fair";
    case Trust::poor:
      return "poor";
  }
  return "poor";
}

SamplingFacts sampling_facts(const Profile& profile, const CostTable& cost) {
  SamplingFacts facts;
  for (const auto& total : cost.events) {
    if (!total.known()) continue;
    facts.events.push_back({profile.session.events[total.event].name, total.samples,
                            total.count > 0 ? total.unsampled / total.count : 0});
  }
  for (const auto& loss : profile.losses) {
    if (loss.kind == LossKind::throttled) facts.throttled += loss.count;
    if (loss.kind == LossKind::ring_full || loss.kind == LossKind::stack_table ||
        loss.kind == LossKind::unmatched_sample)
      facts.lost += loss.count;
  }
  if (profile.foreign) facts.ending = profile.foreign->ending;
  facts.left_out = profile.left_out;
  // What is left may be of a part of the time, or of the CPUs: being throttled is then a part of neither.
  if (profile.left_out == 0) facts.duration_ns = profile.duration_ns;
  std::set<uint32_t> cpus;
  for (const auto& row : cost.cpus) {
    if (row.samples > 0) cpus.insert(row.cpu);
  }
  if (!profile.foreign || profile.foreign->cpus_known) facts.cpus = static_cast<uint32_t>(cpus.size());
  return facts;
}

Verdict judge_sampling(const SamplingFacts& facts) {
  std::vector<Reason> reasons;
  if (facts.events.empty()) reasons.push_back({Trust::poor, "nothing was sampled"});
  judge_losses(facts, reasons);
  judge_ending(facts.ending, reasons);
  judge_throttling(facts, reasons);
  for (const auto& event : facts.events) judge_event(event, reasons);
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const Reason& a, const Reason& b) { return a.trust > b.trust; });
  Verdict verdict;
  for (Reason& reason : reasons) {
    verdict.trust = std::max(verdict.trust, reason.trust);
    verdict.reasons.push_back(std::move(reason.text));
  }
  return verdict;
}

}  // namespace nettoll
