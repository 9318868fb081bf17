// SPDX-License-Identifier: Apache-2.0
// Sends datagrams over loopback and counts what each took, by a counting descriptor on the calling thread.
// The receive softirq runs on top of the send, so all of a packet's way is in it.
//
//   count_sends open|closed SENDS RUNS [EVENT]
//
// open: to a socket that is read after each send; closed: to a port without one, where each datagram is
// dropped and answered by ICMP. EVENT is instructions (if not given) or cycles. Prints a line a run:
// kernel-mode events for each send, as a decimal number.
#include <arpa/inet.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/unique_fd.h"
#include "tests/vm/programs/hardware_counter.h"

namespace {

using nettoll::UniqueFd;

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

UniqueFd open_counter(uint64_t event) {
  perf_event_attr attr = {};
  attr.exclude_user = 1;
  attr.disabled = 1;
  UniqueFd fd = hardware_counter(event, attr, 0, -1);
  if (!fd) die("perf_event_open");
  return fd;
}

UniqueFd open_socket() {
  UniqueFd fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd) die("socket");
  return fd;
}

/// A loopback port: `receiver` bound to it, or one that was free a moment ago.
sockaddr_in bind_port(UniqueFd& receiver, bool open) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  receiver = open_socket();
  if (::bind(receiver.get(), reinterpret_cast<sockaddr*>(&address), size) < 0) die("bind");
  if (::getsockname(receiver.get(), reinterpret_cast<sockaddr*>(&address), &size) < 0) die("getsockname");
  if (!open) receiver.reset();
  return address;
}

void send_all(const UniqueFd& sender, const UniqueFd& receiver, const sockaddr_in& to, long sends) {
  char payload[64] = {};
  for (long i = 0; i < sends; ++i) {
    if (::sendto(sender.get(), payload, sizeof(payload), 0, reinterpret_cast<const sockaddr*>(&to),
                 sizeof(to)) < 0)
      die("sendto");
    if (receiver && ::recv(receiver.get(), payload, sizeof(payload), 0) != sizeof(payload)) die("recv");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: count_sends open|closed SENDS RUNS [instructions|cycles]\n");
    return 2;
  }
  const bool open = std::strcmp(argv[1], "open") == 0;
  const long sends = std::atol(argv[2]), runs = std::atol(argv[3]);
  const bool cycles = argc > 4 && std::strcmp(argv[4], "cycles") == 0;
  const UniqueFd counter = open_counter(cycles ? PERF_COUNT_HW_CPU_CYCLES : PERF_COUNT_HW_INSTRUCTIONS);
  UniqueFd receiver;
  const sockaddr_in to = bind_port(receiver, open);
  const UniqueFd sender = open_socket();
  send_all(sender, receiver, to, sends / 4 + 1);  // caches and routes
  for (long run = 0; run < runs; ++run) {
    if (::ioctl(counter.get(), PERF_EVENT_IOC_RESET, 0) < 0 ||
        ::ioctl(counter.get(), PERF_EVENT_IOC_ENABLE, 0) < 0)
      die("enable");
    send_all(sender, receiver, to, sends);
    ::ioctl(counter.get(), PERF_EVENT_IOC_DISABLE, 0);
    uint64_t value = 0;
    if (::read(counter.get(), &value, sizeof(value)) != sizeof(value)) die("read");
    std::printf("%.2f\n", static_cast<double>(value) / static_cast<double>(sends));
  }
  return 0;
}
