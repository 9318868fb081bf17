// SPDX-License-Identifier: Apache-2.0
#include "live/traffic.h"

#include <nlohmann/json.hpp>

namespace nettoll::live {
namespace {

Result<UdpSent> parse(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return failure(fmt::format("udp_blast printed '{}', not a JSON object", line));
  UdpSent sent;
  sent.sent = json.value("sent", uint64_t{0});
  sent.sent_open = json.value("sent_open", uint64_t{0});
  sent.sent_closed = json.value("sent_closed", uint64_t{0});
  sent.send_errors = json.value("send_errors", uint64_t{0});
  sent.received = json.value("received", uint64_t{0});
  sent.elapsed = std::chrono::nanoseconds(json.value("elapsed_ns", int64_t{0}));
  sent.cpu_time = std::chrono::nanoseconds(json.value("cpu_ns", int64_t{0}));
  return sent;
}

}  // namespace

Result<RunningTraffic> start_udp(const VethEnd& from, const VethEnd& to, const UdpTraffic& traffic) {
  std::vector<std::string> argv{NETTOLL_UDP_BLAST, "--to",         traffic.ipv6 ? to.ipv6 : to.ipv4,
                                "--from-netns",    from.ns.path(), "--to-netns",
                                to.ns.path()};
  const auto add = [&](const char* name, uint64_t value) {
    argv.emplace_back(name);
    argv.push_back(std::to_string(value));
  };
  add("--packets", traffic.packets);
  add("--open", traffic.open);
  add("--size", traffic.size);
  add("--open-port", traffic.open_port);
  add("--closed-port", traffic.closed_port);
  add("--rate", traffic.rate);
  add("--limit", static_cast<uint64_t>(traffic.limit.count()));
  if (traffic.cpu) add("--cpu", *traffic.cpu);
  if (traffic.receive_buffer) add("--receive-buffer", traffic.receive_buffer);
  if (!traffic.drain) argv.emplace_back("--no-drain");
  auto child = ChildProcess::start(argv);
  if (!child) return child.error();
  return RunningTraffic(std::move(*child), traffic.limit);
}

Result<UdpSent> RunningTraffic::wait() {
  auto finished = child_.wait(limit_ + std::chrono::seconds(10));
  if (!finished) return finished.error();
  if (finished->status != 0)
    return failure(
        fmt::format("udp_blast ended with status {}: {}{}", finished->status, finished->err, finished->out));
  return parse(finished->out);
}

Result<UdpSent> send_udp(const VethEnd& from, const VethEnd& to, const UdpTraffic& traffic) {
  auto running = start_udp(from, to, traffic);
  if (!running) return running.error();
  return running->wait();
}

}  // namespace nettoll::live
