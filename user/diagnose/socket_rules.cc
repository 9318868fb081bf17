// SPDX-License-Identifier: Apache-2.0
// Sockets whose receive buffers overflow.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/elsewhere.h"
#include "diagnose/rules.h"
#include "diagnose/text.h"
#include "diagnose/thresholds.h"

namespace nettoll {
namespace {

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
  // A program that set SO_RCVBUF has no use for the default, and /proc does not tell whether it did.
  if (settings.rmem_default) {
    finding.evidence.push_back({"net.core.rmem_default", double(*settings.rmem_default), "bytes"});
    finding.remedy.push_back(
        fmt::format("sysctl -w net.core.rmem_default={}    # where the program sets no SO_RCVBUF; for "
                    "sockets opened later",
                    4 * *settings.rmem_default));
  }
  if (settings.rmem_max) {
    finding.evidence.push_back({"net.core.rmem_max", double(*settings.rmem_max), "bytes"});
    finding.remedy.push_back(fmt::format(
        "sysctl -w net.core.rmem_max={}    # where it does: with a larger SO_RCVBUF in the program",
        4 * *settings.rmem_max));
  }
  return finding;
}

/// Losses of buffers where no socket shows them: sockets that have gone, other namespaces, TCP.
Finding of_host(const Facts& facts, double counted, double traced) {
  const double lost = std::max(counted, traced);
  const double seconds = counted >= traced ? facts.seconds() : facts.traced_seconds();
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

/// Buffers that overflowed in other namespaces, whose counters are not at hand. True where there are some.
bool overflow_elsewhere(const Facts& facts, Verdict& verdict) {
  if (!facts.profile) return false;
  Elsewhere places;
  double lost = 0;
  for (const auto& drop : facts.profile->drops) {
    if (drop.reason != "SOCKET_RCVBUFF" || !is_elsewhere(drop, facts)) continue;
    lost += static_cast<double>(drop.packets);
    places.add(drop);
  }
  if (lost <= 0) return false;
  Finding finding;
  finding.subject = kElsewhere;
  finding.condition = "receive buffers of sockets overflow";
  finding.severity = loss_severity(lost, 0, facts.traced_seconds());
  finding.evidence.push_back({"drops with reason SOCKET_RCVBUFF", lost, "packets"});
  finding.explanation =
      "Packets came all the way to a socket and found its buffer full: the program reads too slowly, or the "
      "buffer is "
      "too small for bursts.";
  places.tell(finding, facts);
  verdict.found(std::move(finding));
  return true;
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
  const bool other = overflow_elsewhere(facts, verdict);
  if (!sockets.empty() || other) return;

  const double counted =
      facts.seconds() > 0 ? protocol_count(facts.window, {"Udp.RcvbufErrors", "Udp6.RcvbufErrors"}) : 0;
  const double traced = traced_drops(facts, [&](const Drops& drop) {
    return drop.reason == "SOCKET_RCVBUFF" && !is_elsewhere(drop, facts);
  });
  if (counted > 0 || traced > 0) return verdict.found(of_host(facts, counted, traced));
  if (facts.window.protocols.empty() && !facts.profile)
    return verdict.unknown("protocol counters could not be read");
  verdict.fine();
}

}  // namespace nettoll
