// SPDX-License-Identifier: Apache-2.0
#include "host/netlink_socket.h"

#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "host/netlink_attributes.h"

namespace nettoll {
namespace {

/// A dump's messages come in pieces of at most 32 KiB (netlink_dump in net/netlink/af_netlink.c).
constexpr size_t kPiece = 1 << 16;

}  // namespace

Result<NetlinkSocket> NetlinkSocket::open(int protocol) {
  UniqueFd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol));
  if (!socket) return system_error("cannot open a netlink socket", errno);
  const timeval patience{5, 0};
  if (::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) != 0)
    return system_error("cannot limit how long a netlink socket waits", errno);
  return NetlinkSocket(std::move(socket));
}

Status NetlinkSocket::dump(uint16_t type, std::span<const std::byte> request, const Take& take) {
  return exchange(type, NLM_F_REQUEST | NLM_F_DUMP, request, take);
}

Status NetlinkSocket::ask(uint16_t type, std::span<const std::byte> request, const Take& take) {
  return exchange(type, NLM_F_REQUEST | NLM_F_ACK, request, take);
}

Status NetlinkSocket::exchange(uint16_t type, uint16_t flags, std::span<const std::byte> request,
                               const Take& take) {
  nlmsghdr head{};
  head.nlmsg_len = static_cast<uint32_t>(NLMSG_HDRLEN + request.size());
  head.nlmsg_type = type;
  head.nlmsg_flags = flags;
  head.nlmsg_seq = ++sequence_;
  std::vector<std::byte> bytes(head.nlmsg_len);
  std::memcpy(bytes.data(), &head, sizeof(head));
  std::memcpy(bytes.data() + NLMSG_HDRLEN, request.data(), request.size());
  if (::send(socket_.get(), bytes.data(), bytes.size(), 0) < 0)
    return system_error("cannot ask the kernel by netlink", errno);

  bool interrupted = false;
  std::vector<std::byte> piece(kPiece);
  while (true) {
    const ssize_t got = ::recv(socket_.get(), piece.data(), piece.size(), MSG_TRUNC);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("no answer by netlink", errno);
    if (static_cast<size_t>(got) > piece.size())
      return system_error("a netlink message is too long", EMSGSIZE);
    std::span<const std::byte> rest(piece.data(), static_cast<size_t>(got));
    while (rest.size() >= sizeof(nlmsghdr)) {
      const auto message = read_as<nlmsghdr>(rest);
      if (message.nlmsg_len < sizeof(nlmsghdr) || message.nlmsg_len > rest.size())
        return failure("a netlink message is cut off");
      const auto payload = rest.subspan(NLMSG_HDRLEN, message.nlmsg_len - NLMSG_HDRLEN);
      rest = rest.subspan(std::min(rest.size(), size_t{NLMSG_ALIGN(message.nlmsg_len)}));
      if (message.nlmsg_seq != sequence_) continue;  // left over from a question given up
      interrupted = interrupted || (message.nlmsg_flags & NLM_F_DUMP_INTR) != 0;
      if (message.nlmsg_type != NLMSG_DONE && message.nlmsg_type != NLMSG_ERROR) {
        take(message.nlmsg_type, payload);
        continue;
      }
      // Both begin with an error number; 0 is none.
      if (const auto code = read_as<int32_t>(payload); code != 0)
        return system_error("the kernel refuses a netlink question", -code);
      if (interrupted) return system_error("what was asked by netlink changed meanwhile", EAGAIN);
      return {};
    }
  }
}

}  // namespace nettoll
