// SPDX-License-Identifier: Apache-2.0
// Rings, interrupts and merging of a device.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/driver_counters.h"
#include "diagnose/rules.h"
#include "diagnose/text.h"
#include "diagnose/thresholds.h"

namespace nettoll {
namespace {

enum class Moderation : uint8_t { unknown, on, off };

Moderation moderation(const Nic& nic) {
  if (!nic.coalescing) return Moderation::unknown;
  const Coalescing& c = *nic.coalescing;
  return c.adaptive_rx || c.rx_usecs > 0 || c.rx_frames > 1 ? Moderation::on : Moderation::off;
}

}  // namespace

void ring_overflow(const Facts& facts, Verdict& verdict) {
  each_nic(facts, verdict, [&](const NicCase& one) {
    const Nic& nic = *one.facts.nic;
    const auto lost = static_cast<double>(ring_losses(nic));
    if (lost <= 0) return verdict.fine();
    const double came = one.facts.packets + lost;
    Finding finding;
    finding.subject = nic.name;
    finding.condition = fmt::format("{} lost {:.0f} packets for want of receive buffers", nic.name, lost);
    finding.severity = loss_severity(lost, came, facts.seconds());
    finding.evidence.push_back({"lost", lost / facts.seconds(), "packets/s"});
    finding.evidence.push_back({"of what came", percent(lost, came), "%"});
    for (const auto kind : {DriverCounter::ring_full, DriverCounter::dropped, DriverCounter::no_memory}) {
      for (const auto& counter : driver_losses(nic, kind)) {
        finding.evidence.push_back({counter.name, double(counter.packets), "packets"});
      }
    }
    if (nic.link.rx_missed > 0)
      finding.evidence.push_back({"rx_missed_errors", double(nic.link.rx_missed), "packets"});
    if (nic.link.rx_fifo > 0)
      finding.evidence.push_back({"rx_fifo_errors", double(nic.link.rx_fifo), "packets"});
    finding.explanation =
        "The device dropped these before the kernel saw them, because no descriptor was free: no drop reason "
        "and "
        "no protocol counter shows them.";
    const bool saturated = one.facts.heat && *one.facts.heat >= threshold::kSaturated;
    if (saturated) {
      finding.explanation +=
          " The CPU that should empty the ring has no time left, so a larger ring only delays.";
    }
    if (nic.rings) {
      finding.evidence.push_back({"receive ring", double(nic.rings->rx), "descriptors"});
      finding.evidence.push_back({"largest receive ring", double(nic.rings->max_rx), "descriptors"});
      if (nic.rings->rx < nic.rings->max_rx && !saturated) {
        finding.remedy.push_back(fmt::format("ethtool -G {} rx {}", nic.name, nic.rings->max_rx));
      } else if (nic.rings->rx >= nic.rings->max_rx && !saturated) {
        finding.explanation +=
            " The ring is as large as it can be: what empties it is too slow, or too late.";
      }
    }
    finding.cost = cost_of_cpu(facts, one.facts.hot_cpu);
    verdict.found(std::move(finding));
  });
}

void interrupt_storm(const Facts& facts, Verdict& verdict) {
  each_nic(facts, verdict, [&](const NicCase& one) {
    const Nic& nic = *one.facts.nic;
    if (!one.facts.idle.empty()) return verdict.idle(one.facts.idle);
    if (nic.vectors.empty())
      return verdict.unknown(fmt::format("the interrupts of {} are not known", nic.name));
    double interrupts = 0;
    for (const auto& vector : nic.vectors) interrupts += static_cast<double>(vector.total());
    const double rate = interrupts / facts.seconds();
    // Vectors may be for both directions.
    const double packets = one.facts.packets + static_cast<double>(nic.link.tx_packets);
    const Moderation moderated = moderation(nic);
    if (rate < threshold::kStormPerSecond || interrupts < threshold::kStormPerPacket * packets ||
        moderated == Moderation::on) {
      return verdict.fine();
    }
    Finding finding;
    finding.subject = nic.name;
    finding.condition =
        fmt::format("{} raises {:.0f} interrupts a second, about one a packet", nic.name, rate);
    finding.severity = std::min(severity_of_spread(one.facts), Severity::warning);
    finding.evidence.push_back({"interrupts", rate, "1/s"});
    finding.evidence.push_back({"interrupts a packet", interrupts / packets, ""});
    finding.explanation =
        "Each interrupt costs a few microseconds. A device that waits some of these before it raises one "
        "serves "
        "many packets with it, for a delay as short.";
    if (moderated == Moderation::off) {
      finding.evidence.push_back({"rx-usecs", double(nic.coalescing->rx_usecs), "us"});
      finding.remedy.push_back(fmt::format("ethtool -C {} adaptive-rx on", nic.name));
      finding.remedy.push_back(
          fmt::format("or, where the driver refuses that: ethtool -C {} rx-usecs 20", nic.name));
    } else {
      // Documentation/networking/napi.rst, "Software IRQ coalescing".
      finding.explanation += " This driver has no setting for it; NAPI can wait in its place.";
      finding.remedy.push_back(fmt::format("echo 2 > /sys/class/net/{}/napi_defer_hard_irqs", nic.name));
      finding.remedy.push_back(fmt::format("echo 20000 > /sys/class/net/{}/gro_flush_timeout", nic.name));
    }
    finding.cost = cost_of_cpu(facts, one.facts.hot_cpu);
    verdict.found(std::move(finding));
  });
}

void gro_off(const Facts& facts, Verdict& verdict) {
  const double tcp = protocol_count(facts.window, {"Tcp.InSegs"});
  each_nic(facts, verdict, [&](const NicCase& one) {
    const Nic& nic = *one.facts.nic;
    const auto feature = [&](const char* name) {
      const auto found = nic.features.find(name);
      return found == nic.features.end() ? std::optional<bool>{} : found->second;
    };
    if (!one.facts.idle.empty()) return verdict.idle(one.facts.idle);
    const auto gro = feature("rx-gro");
    if (!gro) return verdict.unknown(fmt::format("the features of {} are not known", nic.name));
    const bool merged = *gro || feature("rx-lro").value_or(false) || feature("rx-gro-hw").value_or(false);
    // GRO merges TCP; UDP only for sockets and devices that ask for it.
    const bool can_merge =
        facts.window.protocols.empty() || tcp >= threshold::kProtocolPart * one.facts.packets;
    if (merged || !can_merge) return verdict.fine();
    Finding finding;
    finding.subject = nic.name;
    finding.condition = fmt::format("{} does not merge segments: GRO is off", nic.name);
    finding.severity = std::min(severity_of_spread(one.facts), Severity::warning);
    finding.evidence.push_back({"packets received", one.facts.rate, "packets/s"});
    if (tcp > 0) finding.evidence.push_back({"TCP segments received", tcp / facts.seconds(), "segments/s"});
    finding.explanation =
        "Each TCP segment takes the way through the stack alone. GRO merges those of a flow that come "
        "together, "
        "so the way is paid for once. It is left off on purpose on some routers and bridges.";
    finding.remedy.push_back(fmt::format("ethtool -K {} gro on", nic.name));
    finding.cost = cost_of_cpu(facts, one.facts.hot_cpu);
    verdict.found(std::move(finding));
  });
}

}  // namespace nettoll
