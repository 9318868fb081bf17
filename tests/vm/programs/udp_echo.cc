// SPDX-License-Identifier: Apache-2.0
// Sends back what comes to a UDP port, until it is killed.
//
//   udp_echo PORT
#include <arpa/inet.h>
#include <sys/socket.h>

#include <cstdio>
#include <cstdlib>

#include "base/unique_fd.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const nettoll::UniqueFd fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(std::atoi(argv[1])));
  if (!fd || ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) < 0) {
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
