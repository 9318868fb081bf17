// SPDX-License-Identifier: Apache-2.0
// Cache misses that gather in receive work.
#include <fmt/format.h>

#include <cmath>

#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"

namespace nettoll {
namespace {

/// Rows of the receive path, as a share of all kernel work.
std::optional<Share> receive_share(const Sight& sight, uint32_t event) {
  SampleSum part;
  for (const StackCost& row : sight.rows()) {
    if (row.event == event && row.path == Path::rx) part.add(row);
  }
  return share_of(part, sight.whole(event).kernel);
}

/// True where misses only follow time, or may.
bool follows_time(const Share& misses, const std::optional<Share>& time) {
  if (!time) return false;
  const double more = misses.part - limit::kMissesToTime * time->part;
  return more <= limit::kErrorBar * std::hypot(misses.error, limit::kMissesToTime * time->error);
}

void judge_misses(const Sight& sight, uint32_t event, Verdict& verdict) {
  const auto misses = receive_share(sight, event);
  const auto time = sight.time() ? receive_share(sight, *sight.time()) : std::nullopt;
  if (!surely_from(misses, limit::kMisses.from) || follows_time(*misses, time)) return verdict.fine();
  const std::string& name = sight.event_name(event);
  Finding finding;
  finding.subject = "net_rx_action";
  finding.condition =
      fmt::format("{} of the kernel's {} are in receive work", percent_text(misses->part), name);
  finding.severity = surely_from(misses, limit::kMisses.much) ? Severity::warning : Severity::note;
  finding.evidence.push_back(evidence_of("part of " + whole_name(sight, event, false), *misses));
  if (time)
    finding.evidence.push_back(evidence_of("part of " + whole_name(sight, *sight.time(), false), *time));
  std::vector<bool> receive(sight.profile().stacks.size());
  for (const StackCost& row : sight.rows()) receive[row.stack] = row.path == Path::rx;
  const Holds holds = [&receive](uint32_t stack) -> bool { return receive[stack]; };
  for (Evidence& one : largest(sight, event, holds, "in", leaf(sight), false))
    finding.evidence.push_back(std::move(one));
  finding.explanation =
      "Receive work is the first to touch a packet's data and descriptors, and waits for memory there. In "
      "eth_type_trans, GRO and drivers that is the packet's first touch; in sockets and conntrack, state "
      "that "
      "another CPU wrote last.";
  finding.remedy = {
      "nettoll diagnose -d 10    # vectors on the device's NUMA node, queues and CPUs",
      "RFS or XPS, so that a flow stays on the CPU of its program (Documentation/networking/scaling.rst)"};
  set_confidence(finding, misses->of);
  verdict.found(std::move(finding));
}

}  // namespace

void receive_cache_misses(const Sight& sight, Verdict& verdict) {
  if (sight.cache_misses().empty()) return verdict.idle("no event counts cache misses");
  for (const uint32_t event : sight.cache_misses()) judge_misses(sight, event, verdict);
}

}  // namespace nettoll
