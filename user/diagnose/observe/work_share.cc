// SPDX-License-Identifier: Apache-2.0
#include "diagnose/observe/work_share.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace nettoll {
namespace {

const SampleSum& side(const Amount& amount, bool network) {
  return network ? amount.network : amount.kernel;
}

}  // namespace

Holds in_stack(const Sight& sight, Works works) {
  return [&sight, works](uint32_t stack) { return sight.stack_works(stack).any_of(works); };
}

Holds at_leaf(const Sight& sight, Works works) {
  return [&sight, works](uint32_t stack) { return sight.leaf_works(stack).any_of(works); };
}

ListedUnder leaf(const Sight& sight) {
  return [&sight](uint32_t stack) { return std::optional(sight.profile().stacks[stack].front()); };
}

ListedUnder caller_of(const Sight& sight, Works works, Works between) {
  between.add(works);
  return [&sight, works, between](uint32_t stack) {
    bool inside = false;
    for (const uint32_t frame : sight.frames(stack)) {
      inside = inside || sight.works(frame).any_of(works);
      if (inside && !sight.works(frame).any_of(between)) return std::optional(frame);
    }
    return std::optional<uint32_t>();
  };
}

std::string whole_name(const Sight& sight, uint32_t event, bool of_network) {
  return fmt::format("{} {} ({})", of_network ? "network" : "kernel",
                     event == sight.time() ? "time" : "events", sight.event_name(event));
}

Evidence evidence_of(std::string what, const Share& share) {
  return {std::move(what), 100 * share.part, "%", 100 * share.error, share.samples};
}

void set_confidence(Finding& finding, uint64_t samples_of_whole) {
  finding.confidence = Confidence::high;
  if (samples_of_whole >= limit::kThin) return;
  finding.confidence = samples_of_whole < limit::kVeryThin ? Confidence::low : Confidence::medium;
  finding.doubts.push_back(fmt::format("the whole has {} samples", samples_of_whole));
}

std::vector<Evidence> largest(const Sight& sight, uint32_t event, const Holds& holds, const std::string& list,
                              const ListedUnder& listed_under, bool of_network) {
  constexpr size_t kMost = 4;
  std::map<std::string, SampleSum> sums;
  for (const StackCost& row : sight.rows()) {
    if (row.event != event || (of_network && !is_network(row.path)) || !holds(row.stack)) continue;
    if (const auto symbol = listed_under(row.stack)) sums[sight.symbol(*symbol).name].add(row);
  }
  std::vector<std::pair<std::string, SampleSum>> sorted(sums.begin(), sums.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.value > b.second.value; });
  std::vector<Evidence> evidence;
  for (const auto& [name, sum] : sorted) {
    if (sum.samples < Estimate::kEnough || evidence.size() == kMost) continue;
    const auto share = share_of(sum, side(sight.whole(event), of_network));
    if (share) evidence.push_back(evidence_of(fmt::format("{} {}", list, name), *share));
  }
  return evidence;
}

void judge(const Sight& sight, Verdict& verdict, const WorkShare& work) {
  const uint32_t event = *sight.time();
  const Amount& whole = sight.whole(event);
  if (work.of == WorkShare::Of::network && whole.network.samples == 0)
    return verdict.idle("no network work was sampled");
  const Amount part = sight.sum(event, work.holds);
  const auto of_network = share_of(part.network, whole.network);
  const auto of_kernel = share_of(part.kernel, whole.kernel);
  const bool network = work.of != WorkShare::Of::kernel && surely_from(of_network, work.limit.from);
  const bool kernel = work.of != WorkShare::Of::network && surely_from(of_kernel, work.limit.from);
  if (!network && !kernel) {
    const uint64_t samples = work.of == WorkShare::Of::network ? whole.network.samples : whole.kernel.samples;
    if (samples < limit::kThin)
      return verdict.idle(fmt::format("fewer than {} samples to judge by", limit::kThin));
    return verdict.fine();
  }
  const Share& share = network ? *of_network : *of_kernel;
  Finding finding;
  finding.subject = network ? "network work" : "kernel work";
  finding.condition = fmt::format("{} takes {} of {} time", work.what, percent_text(share.part),
                                  network ? "network" : "kernel");
  finding.severity = surely_from(share, work.limit.much) ? Severity::warning : Severity::note;
  if (of_network && work.of != WorkShare::Of::kernel)
    finding.evidence.push_back(evidence_of("part of " + whole_name(sight, event, true), *of_network));
  if (of_kernel)
    finding.evidence.push_back(evidence_of("part of " + whole_name(sight, event, false), *of_kernel));
  for (const uint32_t other : sight.others()) {
    const Amount beside = sight.sum(other, work.holds);
    const auto seen = share_of(side(beside, network), side(sight.whole(other), network));
    if (seen && seen->samples >= Estimate::kEnough)
      finding.evidence.push_back(evidence_of("part of " + whole_name(sight, other, network), *seen));
  }
  if (work.listed_under) {
    for (Evidence& one : largest(sight, event, work.holds, work.list, work.listed_under, network))
      finding.evidence.push_back(std::move(one));
  }
  finding.explanation = work.explanation;
  finding.remedy = work.remedy;
  set_confidence(finding, share.of);
  verdict.found(std::move(finding));
}

}  // namespace nettoll
