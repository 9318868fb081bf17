// SPDX-License-Identifier: Apache-2.0
// Queues of what is to be sent.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "diagnose/drop_place.h"
#include "diagnose/elsewhere.h"
#include "diagnose/qdisc_losses.h"
#include "diagnose/rules.h"
#include "diagnose/text.h"
#include "diagnose/thresholds.h"
#include "model/drop_class.h"

namespace nettoll {
namespace {

/// All drops of a device's qdiscs, and the kinds that dropped.
uint64_t sum_of(const std::vector<QdiscLoss>& losses, std::string& kinds) {
  uint64_t sum = 0;
  for (const auto& [qdisc, packets] : losses) {
    sum += packets;
    if (kinds.find(qdisc->kind) == std::string::npos) kinds += (kinds.empty() ? "" : ", ") + qdisc->kind;
  }
  return sum;
}

/// Dropping is what a queueing discipline does to slow TCP down: only more than that is found.
std::optional<Severity> severity_of_qdisc(double lost, double sent, double seconds) {
  const double part = lost / (sent + lost);
  if (part >= threshold::kMuchQdiscPart) return Severity::critical;
  if (part >= threshold::kMuchLossPart) return Severity::warning;
  if (part >= threshold::kLossPart || lost >= threshold::kMuchLossPerSecond * seconds) return Severity::note;
  return std::nullopt;
}

/// Drops of one device that the trace alone shows.
struct TracedQueue {
  double packets = 0;
  std::map<std::string, double> reasons;
  bool without_carrier = false;
};

Finding of_traced_queue(const std::string& device, const TracedQueue& queue, const Facts& facts) {
  Finding finding;
  finding.subject = device.empty() ? "host" : device;
  finding.condition =
      queue.without_carrier
          ? fmt::format("{} has no carrier, and packets sent on it are dropped", finding.subject)
          : fmt::format("packets to be sent on {} are dropped in its queue", finding.subject);
  for (const auto& [reason, packets] : queue.reasons)
    finding.evidence.push_back({"drops with reason " + reason, packets, "packets"});
  finding.severity = std::min(loss_severity(queue.packets, 0, facts.traced_seconds()), Severity::warning);
  if (queue.without_carrier) {
    finding.explanation =
        "A device without carrier (no cable, the peer of a veth pair down) drops all that it is to send, and "
        "routes "
        "still lead to it.";
    finding.remedy.push_back(fmt::format("ip -details link show dev {}", finding.subject));
    finding.remedy.push_back(fmt::format("ip route show dev {}", finding.subject));
    return finding;
  }
  finding.explanation =
      "The queueing discipline dropped these on the way out; with forwarding that happens inside receive "
      "work, and is "
      "still a loss of sending.";
  if (queue.reasons.contains("FQ_HORIZON_LIMIT")) {
    finding.explanation +=
        " fq drops what is to leave later than its horizon. A packet that kept a time stamp of another "
        "clock, such as "
        "the wall clock of its receipt, looks so.";
    finding.remedy.push_back(
        fmt::format("tc qdisc replace dev {} root fq horizon_cap    # send such packets at the horizon",
                    finding.subject));
  }
  finding.remedy.push_back(fmt::format("tc -s qdisc show dev {}", finding.subject));
  return finding;
}

/// Drops in queues whose qdiscs say nothing, and in those of other namespaces.
void traced_qdisc_drops(const Facts& facts, Verdict& verdict) {
  std::map<std::string, TracedQueue> here;
  TracedQueue there;
  Elsewhere places;
  for (const auto& drop : facts.profile->drops) {
    if (place_of(drop).layer != DropLayer::qdisc || classify(drop) != DropClass::loss) continue;
    const bool other = is_elsewhere(drop, facts);
    const auto nic = std::find_if(facts.window.nics.begin(), facts.window.nics.end(),
                                  [&](const Nic& one) { return !other && one.name == drop.device; });
    const bool known = nic != facts.window.nics.end();
    if (known && !qdisc_losses(*nic).empty()) continue;
    if (other) places.add(drop);
    TracedQueue& queue = other ? there : here[drop.device];
    queue.packets += static_cast<double>(drop.packets);
    queue.reasons[drop.reason] += static_cast<double>(drop.packets);
    queue.without_carrier = known && !nic->up;
  }
  for (const auto& [device, queue] : here) verdict.found(of_traced_queue(device, queue, facts));
  if (there.packets <= 0) return;
  Finding finding = of_traced_queue("a device", there, facts);
  finding.subject = kElsewhere;
  places.tell(finding, facts);
  verdict.found(std::move(finding));
}

}  // namespace

void qdisc_drops(const Facts& facts, Verdict& verdict) {
  bool asked = false;
  for (const auto& nic : facts.window.nics) {
    if (facts.seconds() <= 0 || nic.qdiscs.empty()) continue;
    asked = true;
    std::string kinds;
    const auto lost = static_cast<double>(sum_of(qdisc_losses(nic), kinds));
    if (lost <= 0) continue;
    const auto sent = static_cast<double>(nic.link.tx_packets);
    const auto severity = severity_of_qdisc(lost, sent, facts.seconds());
    if (!severity) continue;
    Finding finding;
    finding.subject = nic.name;
    finding.condition = fmt::format("the queueing discipline of {} drops packets to be sent", nic.name);
    finding.severity = *severity;
    finding.evidence.push_back({fmt::format("dropped by {}", kinds), lost, "packets"});
    finding.evidence.push_back({"of what was to be sent", percent(lost, sent + lost), "%"});
    finding.explanation =
        "More was to be sent than the device, or a shaper, let go. Dropping is how a queueing discipline "
        "tells TCP "
        "to slow down, so a few drops are its work; many are a link that is too slow, or a queue too short "
        "for "
        "bursts. It has nothing to do with receiving.";
    finding.remedy.push_back(fmt::format("tc -s qdisc show dev {}", nic.name));
    verdict.found(std::move(finding));
  }
  if (facts.profile) {
    asked = true;
    traced_qdisc_drops(facts, verdict);
  }
  asked ? verdict.fine() : verdict.unknown("queueing disciplines could not be read");
}

}  // namespace nettoll
