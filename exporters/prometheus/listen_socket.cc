// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/listen_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <memory>
#include <string>

namespace nettoll::exporter {
namespace {

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Result<Addresses> resolve(const ListenAddress& address) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int code = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &list);
  if (code != 0) {
    return failure(fmt::format("cannot listen on {}: {}", address.text(), ::gai_strerror(code)),
                   "choose an address of this host with --web.listen-address");
  }
  return Addresses(list);
}

std::string remedy_for(int code) {
  switch (code) {
    case EADDRINUSE:
      return "another nettoll? choose another --web.listen-address";
    case EADDRNOTAVAIL:
      return "choose an address of this host with --web.listen-address";
    case EACCES:
      return "choose a port above 1023 with --web.listen-address, or run with CAP_NET_BIND_SERVICE";
    default:
      return "choose another --web.listen-address";
  }
}

bool is_loopback(const sockaddr_storage& bound) {
  if (bound.ss_family == AF_INET) {
    const auto& in = reinterpret_cast<const sockaddr_in&>(bound);
    return ntohl(in.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
  }
  const auto& in6 = reinterpret_cast<const sockaddr_in6&>(bound);
  return IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
}

/// Listens on one address. The error is that of the call that failed.
Result<ListenSocket> listen_on(int family, const sockaddr* address, socklen_t size, const std::string& what) {
  UniqueFd fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return system_error(what, errno);
  const int on = 1;
  const int off = 0;
  (void)::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (family == AF_INET6) (void)::setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  sockaddr_storage bound{};
  socklen_t bound_size = sizeof bound;
  if (::bind(fd.get(), address, size) != 0 || ::listen(fd.get(), SOMAXCONN) != 0 ||
      ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&bound), &bound_size) != 0) {
    const int code = errno;
    return system_error(what, code, remedy_for(code));
  }
  const uint16_t port =
      ntohs(bound.ss_family == AF_INET ? reinterpret_cast<const sockaddr_in&>(bound).sin_port
                                       : reinterpret_cast<const sockaddr_in6&>(bound).sin6_port);
  return ListenSocket{std::move(fd), port, is_loopback(bound)};
}

/// A host may be without IPv6, so failing there is not the end.
Result<ListenSocket> listen_on_all(uint16_t port, const std::string& what) {
  sockaddr_in6 any6{};
  any6.sin6_family = AF_INET6;
  any6.sin6_port = htons(port);
  auto both = listen_on(AF_INET6, reinterpret_cast<const sockaddr*>(&any6), sizeof any6, what);
  if (both || (both.error().code != EAFNOSUPPORT && both.error().code != EADDRNOTAVAIL)) return both;
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_port = htons(port);
  return listen_on(AF_INET, reinterpret_cast<const sockaddr*>(&any), sizeof any, what);
}

}  // namespace

Result<ListenSocket> open_listen_socket(const ListenAddress& address) {
  const std::string what = fmt::format("cannot listen on {}", address.text());
  if (address.host.empty()) return listen_on_all(address.port, what);
  auto list = resolve(address);
  if (!list) return list.error();
  const addrinfo& first = **list;
  return listen_on(first.ai_family, first.ai_addr, first.ai_addrlen, what);
}

}  // namespace nettoll::exporter
