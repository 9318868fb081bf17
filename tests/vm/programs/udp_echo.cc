// SPDX-License-Identifier: Apache-2.0
// Sends back what comes to a UDP port, until it is killed.
//
//   udp_echo PORT
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdio>

#include "tests/vm/programs/udp_port.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const nettoll::UniqueFd fd = udp_port(argv[1]);
  if (!fd) {
    std::perror("udp_echo");
    return 1;
  }
  char data[2048];
  for (;;) {
    sockaddr_in from = {};
    socklen_t size = sizeof(from);
    auto* sender = reinterpret_cast<sockaddr*>(&from);
    const ssize_t length = ::recvfrom(fd.get(), data, sizeof(data), 0, sender, &size);
    if (length < 0) break;
    // What cannot be sent is lost on the way.
    static_cast<void>(::sendto(fd.get(), data, static_cast<size_t>(length), 0, sender, size));
  }
  std::perror("udp_echo: recvfrom");
  return 1;
}
