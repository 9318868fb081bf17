// SPDX-License-Identifier: Apache-2.0
// A listening socket from an address.
#pragma once

#include "base/result.h"
#include "base/unique_fd.h"
#include "exporters/prometheus/listen_address.h"

namespace nettoll::exporter {

struct ListenSocket {
  UniqueFd fd;      ///< listens, does not block
  uint16_t port;    ///< in use, also where 0 was asked for
  bool only_local;  ///< nobody but this host can reach it
};

/// Binds and listens. An empty host is every address, IPv6 and IPv4 where the kernel has both. The error says
/// why the address cannot be had.
Result<ListenSocket> open_listen_socket(const ListenAddress& address);

}  // namespace nettoll::exporter
