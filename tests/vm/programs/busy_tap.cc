// SPDX-License-Identifier: Apache-2.0
// Makes each packet of a device cost receive time, until it is killed: packet sockets whose filters take long
// to refuse it, as captures with large filters do.
//
//   busy_tap DEVICE COUNT
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/unique_fd.h"

namespace {

/// Adds as often as a filter may, then refuses the packet.
std::vector<sock_filter> slow_filter() {
  std::vector<sock_filter> code(BPF_MAXINSNS - 1, BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, 1));
  code.push_back(BPF_STMT(BPF_RET | BPF_K, 0));
  return code;
}

nettoll::UniqueFd open_tap(unsigned device, std::vector<sock_filter>& filter) {
  // No protocol until the filter is there: nothing is to be queued.
  nettoll::UniqueFd fd(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  sockaddr_ll address = {};
  address.sll_family = AF_PACKET;
  address.sll_protocol = __builtin_bswap16(ETH_P_IP);
  address.sll_ifindex = static_cast<int>(device);
  if (!fd || ::setsockopt(fd.get(), SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) < 0 ||
      ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) < 0) {
    fd.reset();
  }
  return fd;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::vector<sock_filter> filter = slow_filter();
  std::vector<nettoll::UniqueFd> taps(static_cast<size_t>(std::atoi(argv[2])));
  for (auto& tap : taps) {
    tap = open_tap(::if_nametoindex(argv[1]), filter);
    if (!tap) {
      std::perror("busy_tap");
      return 1;
    }
  }
  ::pause();
  return 0;
}
