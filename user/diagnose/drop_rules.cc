// SPDX-License-Identifier: Apache-2.0
// Drops by reason, and those before there is a packet to give one.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "diagnose/driver_counters.h"
#include "diagnose/drop_place.h"
#include "diagnose/elsewhere.h"
#include "diagnose/rules.h"
#include "diagnose/text.h"
#include "diagnose/thresholds.h"
#include "model/drop_attribution.h"
#include "model/drop_class.h"

namespace nettoll {
namespace {

/// What to look at beside the packets themselves; nothing where the reason says no more.
const char* remedy_of_reason(std::string_view reason) {
  if (reason == "NO_SOCKET") return "ss -lun; ss -ltn    # which ports have a listener";
  if (reason == "NETFILTER_DROP") return "nft list ruleset; iptables-save -c";
  if (reason == "IP_RPFILTER") return "sysctl net.ipv4.conf.all.rp_filter; ip route get SOURCE";
  if (reason.starts_with("NEIGH_")) return "ip neigh; ip -s ntable";
  if (reason.starts_with("TCP_CSUM") || reason.ends_with("_CSUM"))
    return "ethtool -K DEVICE rx off    # to tell damage from a bad offload";
  return nullptr;
}

struct ReasonSum {
  double packets = 0;
  bool policy = false;
  std::map<std::string, double> functions;
  Elsewhere places;
};

/// Whether another rule speaks of it.
bool has_own_rule(const Drops& drop, const DropPlace& place, const Facts& facts) {
  return place.layer == DropLayer::qdisc || drop.reason == "SOCKET_RCVBUFF" ||
         (place.layer == DropLayer::backlog && facts.seconds() > 0);
}

/// Drops by reason, without noise and without what other rules speak of; here, or in other namespaces.
std::map<std::string, ReasonSum> drops_by_reason(const Facts& facts, bool elsewhere) {
  std::map<std::string, ReasonSum> sums;
  for (const auto& drop : facts.profile->drops) {
    const DropPlace place = place_of(drop);
    if (classify(drop) != DropClass::loss || has_own_rule(drop, place, facts)) continue;
    if (is_elsewhere(drop, facts) != elsewhere) continue;
    ReasonSum& sum = sums[reason_text(drop.reason, drop.subsystem)];
    const auto packets = static_cast<double>(drop.packets);
    sum.packets += packets;
    sum.policy = place.policy;
    if (elsewhere) sum.places.add(drop);
    if (!is_free_helper(drop.function)) sum.functions[drop.function] += packets;
  }
  return sums;
}

Finding of_storm(const Facts& facts, const std::string& reason, const ReasonSum& sum, double received,
                 bool elsewhere) {
  const double rate = sum.packets / facts.traced_seconds();
  Finding finding;
  finding.subject = elsewhere ? kElsewhere : "host";
  finding.condition = fmt::format("{:.0f} packets a second are dropped: {}", rate, reason);
  finding.severity = sum.policy ? Severity::note : Severity::warning;
  finding.evidence.push_back({"drops with reason " + reason, rate, "packets/s"});
  if (received > 0)
    finding.evidence.push_back({"for each 100 packets received", percent(sum.packets, received), "packets"});
  const auto most = std::max_element(sum.functions.begin(), sum.functions.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != sum.functions.end())
    finding.evidence.push_back({"of these in " + most->first, percent(most->second, sum.packets), "%"});
  finding.explanation =
      sum.policy ? "The host is set up to drop these, or has nobody to take them. Each one costs its way "
                   "through the stack up to there."
                 : "The stack gave these packets up for the reason named.";
  finding.remedy.push_back(fmt::format(
      "nettoll drops --reason {} --stacks 1    # who sends them, to which port, and where they end", reason));
  if (elsewhere) {
    sum.places.tell(finding, facts);
  } else if (const char* remedy = remedy_of_reason(reason)) {
    finding.remedy.push_back(remedy);
  }
  return finding;
}

}  // namespace

void xdp_drops(const Facts& facts, Verdict& verdict) {
  bool judged = false;
  for (const auto& nic : facts.window.nics) {
    const auto dropped = static_cast<double>(driver_loss(nic, DriverCounter::xdp_drop));
    const auto failed = static_cast<double>(driver_loss(nic, DriverCounter::xdp_failure));
    if (!nic.statistics && nic.xdp) {
      verdict.unknown(fmt::format("{} runs an XDP program, and its driver counts nothing", nic.name));
      continue;
    }
    judged = true;
    if (dropped + failed <= 0) continue;
    const auto came = static_cast<double>(nic.link.rx_packets) + dropped + failed;
    Finding finding;
    finding.subject = nic.name;
    finding.condition = failed > 0 ? fmt::format("XDP on {} fails to handle packets", nic.name)
                                   : fmt::format("an XDP program drops packets of {}", nic.name);
    finding.severity = failed > 0 ? loss_severity(failed, came, facts.seconds()) : Severity::note;
    for (const auto kind : {DriverCounter::xdp_drop, DriverCounter::xdp_failure}) {
      for (const auto& counter : driver_losses(nic, kind)) {
        finding.evidence.push_back({counter.name, double(counter.packets), "packets"});
      }
    }
    finding.explanation =
        failed > 0
            ? "The program ended with an error or an invalid verdict, or the target of a redirect had no "
              "room. The tracepoint xdp:xdp_exception tells which."
            : "The program says so: whether that is wanted, only its owner knows. No drop reason and no "
              "protocol counter shows these packets.";
    finding.remedy.push_back(fmt::format("ip -details link show {}; bpftool net", nic.name));
    verdict.found(std::move(finding));
  }
  judged ? verdict.fine() : verdict.unknown("no statistics of drivers");
}

void drop_storm(const Facts& facts, Verdict& verdict) {
  double received = 0;
  for (const auto& row : facts.profile->packets) {
    if (row.path == Path::rx) received += static_cast<double>(row.packets);
  }
  for (const bool elsewhere : {false, true}) {
    for (const auto& [reason, sum] : drops_by_reason(facts, elsewhere)) {
      const double rate = sum.packets / facts.traced_seconds();
      const bool storm =
          rate >= threshold::kDropStormOutright ||
          (rate >= threshold::kDropStorm && sum.packets >= threshold::kDropStormPart * received);
      if (storm) verdict.found(of_storm(facts, reason, sum, received, elsewhere));
    }
  }
  verdict.fine();
}

}  // namespace nettoll
