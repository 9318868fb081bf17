// SPDX-License-Identifier: Apache-2.0
// Reads and throws away what comes to a UDP port, until it is killed.
//
//   udp_sink PORT
#include <sys/socket.h>

#include <cstdio>

#include "tests/vm/programs/udp_port.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const nettoll::UniqueFd fd = udp_port(argv[1]);
  // A reader that waits for its CPU loses nothing.
  const int room = 64 << 20;
  if (!fd || ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) < 0) {
    std::perror("udp_sink");
    return 1;
  }
  char data[2048];
  while (::recv(fd.get(), data, sizeof(data), 0) >= 0) {
  }
  std::perror("udp_sink: recv");
  return 1;
}
