// SPDX-License-Identifier: Apache-2.0
// Packets that are lost past the device: sockets, queues for sending, XDP, and drops by reason.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "diagnose/driver_counters.h"
#include "diagnose/drop_place.h"
#include "diagnose/rules.h"
#include "diagnose/text.h"
#include "diagnose/thresholds.h"
#include "model/drop_attribution.h"
#include "model/drop_class.h"

namespace nettoll {
namespace {

double traced_seconds(const Facts& facts) {
  return facts.profile ? static_cast<double>(facts.profile->duration_ns) / 1e9 : 0;
}

/// Drops of the trace for which `wanted(drop)` holds; 0 without a trace.
template <typename Wanted>
double traced_drops(const Facts& facts, Wanted wanted) {
  double sum = 0;
  if (!facts.profile) return sum;
  for (const auto& drop : facts.profile->drops) {
    if (wanted(drop)) sum += static_cast<double>(drop.packets);
  }
  return sum;
}

std::string socket_name(const UdpSocket& socket) {
  const std::string port = fmt::format("{} port {}", socket.ipv6 ? "UDP6" : "UDP", socket.port);
  return socket.process.empty() ? port : fmt::format("{} ({})", port, socket.process);
}

/// Whether what waits is more than a burst: the reader does not keep up.
bool is_slow_reader(const UdpSocket& socket) {
  return socket.queued_bytes >= threshold::kHugeBuffer;
}

Finding of_socket(const Facts& facts, const UdpSocket& socket) {
  const auto drops = static_cast<double>(socket.drops);
  Finding finding;
  finding.subject = socket_name(socket);
  finding.severity = loss_severity(drops, 0, facts.seconds());
  finding.evidence.push_back({"dropped by the socket", drops, "packets"});
  finding.evidence.push_back({"dropped", drops / facts.seconds(), "packets/s"});
  finding.evidence.push_back({"waiting in it", double(socket.queued_bytes), "bytes"});
  const std::string look = fmt::format("ss -uamnp 'sport = :{}'", socket.port);
  finding.remedy.push_back(look);
  if (is_slow_reader(socket)) {
    finding.condition = fmt::format("{} is full and read too slowly", finding.subject);
    finding.explanation =
        "The socket's buffer is large, and full: the program takes out less than comes in. A larger buffer "
        "fills "
        "up as well and only adds delay. Neither the device nor the spreading of its load is the cause.";
    finding.remedy.push_back(
        "in the program: read with recvmmsg, or share the port between threads with SO_REUSEPORT");
    return finding;
  }
  finding.condition = fmt::format("the receive buffer of {} overflows", finding.subject);
  finding.explanation =
      "Packets reached the socket and found its buffer full. Either bursts are larger than the buffer, or "
      "the "
      "program reads too slowly.";
  const NetSettings& settings = facts.window.settings;
  if (settings.rmem_default) {
    finding.evidence.push_back({"net.core.rmem_default", double(*settings.rmem_default), "bytes"});
    finding.remedy.push_back(fmt::format("sysctl -w net.core.rmem_default={}    # for sockets opened later",
                                         4 * *settings.rmem_default));
  }
  if (settings.rmem_max) {
    finding.evidence.push_back({"net.core.rmem_max", double(*settings.rmem_max), "bytes"});
    finding.remedy.push_back(fmt::format(
        "sysctl -w net.core.rmem_max={}    # and a larger SO_RCVBUF in the program", 4 * *settings.rmem_max));
  }
  return finding;
}

/// Losses of buffers where no socket shows them: sockets that have gone, other namespaces, TCP.
Finding of_host(const Facts& facts, double counted, double traced) {
  const double lost = std::max(counted, traced);
  const double seconds = counted >= traced ? facts.seconds() : traced_seconds(facts);
  Finding finding;
  finding.subject = "host";
  finding.condition = "receive buffers of sockets overflow";
  finding.severity = loss_severity(lost, 0, seconds);
  finding.evidence.push_back({"dropped", seconds > 0 ? lost / seconds : 0, "packets/s"});
  if (counted > 0) finding.evidence.push_back({"Udp.RcvbufErrors", counted, "packets"});
  if (traced > 0) finding.evidence.push_back({"drops with reason SOCKET_RCVBUFF", traced, "packets"});
  finding.explanation =
      "Packets came all the way to a socket and found its buffer full: the program reads too slowly, or the "
      "buffer "
      "is too small for bursts. Which socket it was is not known.";
  finding.remedy.push_back("ss -uamn    # d in skmem: drops of each socket");
  if (const auto most = facts.window.settings.rmem_max) {
    finding.evidence.push_back({"net.core.rmem_max", double(*most), "bytes"});
    finding.remedy.push_back(
        fmt::format("sysctl -w net.core.rmem_max={}    # and a larger SO_RCVBUF in the program", 4 * *most));
  }
  return finding;
}

/// Drops of the qdiscs that do the work: children where there are some, since mq and its like add them up.
uint64_t qdisc_losses(const Nic& nic, std::string& kinds) {
  uint64_t roots = 0;
  uint64_t children = 0;
  for (const auto& qdisc : nic.qdiscs) {
    (qdisc.parent == "root" ? roots : children) += qdisc.drops;
    if (qdisc.drops > 0 && kinds.find(qdisc.kind) == std::string::npos) {
      kinds += (kinds.empty() ? "" : ", ") + qdisc.kind;
    }
  }
  return std::max(roots, children);
}

/// Dropping is what a queueing discipline does to slow TCP down: only more than that is found.
std::optional<Severity> severity_of_qdisc(double lost, double sent, double seconds) {
  const double part = lost / (sent + lost);
  if (part >= threshold::kMuchQdiscPart) return Severity::critical;
  if (part >= threshold::kMuchLossPart) return Severity::warning;
  if (part >= threshold::kLossPart || lost >= threshold::kMuchLossPerSecond * seconds) return Severity::note;
  return std::nullopt;
}

const char* remedy_of_reason(std::string_view reason) {
  if (reason == "NO_SOCKET")
    return "ss -lun; ss -ltn    # which ports have a listener; tcpdump shows who sends";
  if (reason == "NETFILTER_DROP") return "nft list ruleset; iptables-save -c";
  if (reason == "IP_RPFILTER") return "sysctl net.ipv4.conf.all.rp_filter; ip route get SOURCE";
  if (reason.starts_with("NEIGH_")) return "ip neigh; ip -s ntable";
  if (reason.starts_with("TCP_CSUM") || reason.ends_with("_CSUM"))
    return "ethtool -K DEVICE rx off    # to tell damage from a bad offload";
  return "nettoll record -d 10 && nettoll report    # by function, device and namespace";
}

struct ReasonSum {
  double packets = 0;
  bool policy = false;
  std::map<std::string, double> functions;
};

/// Whether another rule speaks of it.
bool has_own_rule(const Drops& drop, const DropPlace& place, const Facts& facts) {
  return place.layer == DropLayer::qdisc || drop.reason == "SOCKET_RCVBUFF" ||
         (place.layer == DropLayer::backlog && facts.seconds() > 0);
}

/// Drops by reason, without noise and without what other rules speak of.
std::map<std::string, ReasonSum> drops_by_reason(const Facts& facts) {
  std::map<std::string, ReasonSum> sums;
  for (const auto& drop : facts.profile->drops) {
    const DropPlace place = place_of(drop);
    if (classify(drop) != DropClass::loss || has_own_rule(drop, place, facts)) continue;
    ReasonSum& sum = sums[reason_text(drop.reason, drop.subsystem)];
    const auto packets = static_cast<double>(drop.packets);
    sum.packets += packets;
    sum.policy = place.policy;
    if (!is_free_helper(drop.function)) sum.functions[drop.function] += packets;
  }
  return sums;
}

}  // namespace

void receive_buffer_overflow(const Facts& facts, Verdict& verdict) {
  std::vector<const UdpSocket*> sockets;
  for (const auto& socket : facts.window.udp) {
    if (socket.drops > 0 && facts.seconds() > 0) sockets.push_back(&socket);
  }
  std::stable_sort(sockets.begin(), sockets.end(),
                   [](const UdpSocket* a, const UdpSocket* b) { return a->drops > b->drops; });
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < sockets.size() && i < kShown; ++i) verdict.found(of_socket(facts, *sockets[i]));
  if (!sockets.empty()) return;

  const double counted =
      facts.seconds() > 0 ? protocol_count(facts.window, {"Udp.RcvbufErrors", "Udp6.RcvbufErrors"}) : 0;
  const double traced =
      traced_drops(facts, [](const Drops& drop) { return drop.reason == "SOCKET_RCVBUFF"; });
  if (counted > 0 || traced > 0) return verdict.found(of_host(facts, counted, traced));
  if (facts.window.protocols.empty() && !facts.profile)
    return verdict.unknown("protocol counters could not be read");
  verdict.fine();
}

void qdisc_drops(const Facts& facts, Verdict& verdict) {
  bool asked = false;
  for (const auto& nic : facts.window.nics) {
    if (facts.seconds() <= 0 || nic.qdiscs.empty()) continue;
    asked = true;
    std::string kinds;
    const auto lost = static_cast<double>(qdisc_losses(nic, kinds));
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
  // Traced drops of devices whose qdiscs say nothing, such as those of other namespaces.
  std::map<std::string, std::map<std::string, double>> traced;
  if (facts.profile) {
    asked = true;
    for (const auto& drop : facts.profile->drops) {
      if (place_of(drop).layer != DropLayer::qdisc || classify(drop) != DropClass::loss) continue;
      const bool own = !facts.window.netns || drop.netns == facts.window.netns;
      const auto nic = std::find_if(facts.window.nics.begin(), facts.window.nics.end(),
                                    [&](const Nic& one) { return own && one.name == drop.device; });
      std::string kinds;
      if (nic != facts.window.nics.end() && qdisc_losses(*nic, kinds) > 0) continue;
      traced[drop.device][drop.reason] += static_cast<double>(drop.packets);
    }
  }
  for (const auto& [device, reasons] : traced) {
    Finding finding;
    finding.subject = device.empty() ? "host" : device;
    finding.condition = fmt::format("packets to be sent on {} are dropped in its queue", finding.subject);
    double lost = 0;
    for (const auto& [reason, packets] : reasons) {
      lost += packets;
      finding.evidence.push_back({"drops with reason " + reason, packets, "packets"});
    }
    finding.severity = std::min(loss_severity(lost, 0, traced_seconds(facts)), Severity::warning);
    finding.explanation =
        "The queueing discipline dropped these on the way out; with forwarding that happens inside receive "
        "work, "
        "and is still a loss of sending.";
    if (reasons.contains("FQ_HORIZON_LIMIT")) {
      finding.explanation +=
          " fq drops what is to leave later than its horizon. A packet that kept a time stamp of another "
          "clock, "
          "such as the wall clock of its receipt, looks so.";
      finding.remedy.push_back(
          fmt::format("tc qdisc replace dev {} root fq horizon_cap    # send such packets at the horizon",
                      finding.subject));
    }
    finding.remedy.push_back(fmt::format("tc -s qdisc show dev {}", finding.subject));
    verdict.found(std::move(finding));
  }
  asked ? verdict.fine() : verdict.unknown("queueing disciplines could not be read");
}

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
  const double seconds = traced_seconds(facts);
  double received = 0;
  for (const auto& row : facts.profile->packets) {
    if (row.path == Path::rx) received += static_cast<double>(row.packets);
  }
  for (const auto& [reason, sum] : drops_by_reason(facts)) {
    const double rate = sum.packets / seconds;
    const bool storm = rate >= threshold::kDropStormOutright ||
                       (rate >= threshold::kDropStorm && sum.packets >= threshold::kDropStormPart * received);
    if (!storm) continue;
    Finding finding;
    finding.subject = "host";
    finding.condition = fmt::format("{:.0f} packets a second are dropped: {}", rate, reason);
    finding.severity = sum.policy ? Severity::note : Severity::warning;
    finding.evidence.push_back({"drops with reason " + reason, rate, "packets/s"});
    if (received > 0)
      finding.evidence.push_back(
          {"for each 100 packets received", percent(sum.packets, received), "packets"});
    const auto most = std::max_element(sum.functions.begin(), sum.functions.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != sum.functions.end()) {
      finding.evidence.push_back({"of these in " + most->first, percent(most->second, sum.packets), "%"});
    }
    finding.explanation =
        sum.policy
            ? "The host is set up to drop these, or has nobody to take them. Each one costs its way through "
              "the stack up to there."
            : "The stack gave these packets up for the reason named.";
    finding.remedy.push_back(remedy_of_reason(reason));
    verdict.found(std::move(finding));
  }
  verdict.fine();
}

}  // namespace nettoll
