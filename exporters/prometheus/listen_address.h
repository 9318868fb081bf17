// SPDX-License-Identifier: Apache-2.0
// --web.listen-address as exporters have it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace nettoll::exporter {

inline constexpr const char* kDefaultListenAddress = "127.0.0.1:10435";

/// Where to listen.
struct ListenAddress {
  std::string host;   ///< an IPv4 or IPv6 address or a host name; "" is every address
  uint16_t port = 0;  ///< 0 lets the kernel choose

  bool ipv6() const { return host.find(':') != std::string::npos; }
  /// As a person writes it: "127.0.0.1:10435", "[::1]:10435", ":10435".
  std::string text() const;
  bool operator==(const ListenAddress&) const = default;
};

/// Parses "host:port", "[::1]:port" or ":port". A usage error names the text and shows the form.
Result<ListenAddress> parse_listen_address(std::string_view text);

}  // namespace nettoll::exporter
