// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/listen_address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace nettoll::exporter {
namespace {

std::optional<uint16_t> parse_port(std::string_view text) {
  uint16_t port = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (ec != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

bool is_ipv6(const std::string& text) {
  in6_addr ignored;
  return ::inet_pton(AF_INET6, text.c_str(), &ignored) == 1;
}

/// An IPv4 address or a host name (RFC 1123). All digits and dots must be an address.
bool is_host(const std::string& text) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '.'; };
  if (text.empty() || text.size() > 253 || !std::all_of(text.begin(), text.end(), allowed)) return false;
  const auto numeric = [](unsigned char c) { return std::isdigit(c) || c == '.'; };
  in_addr ignored;
  return !std::all_of(text.begin(), text.end(), numeric) || ::inet_pton(AF_INET, text.c_str(), &ignored) == 1;
}

}  // namespace

std::string ListenAddress::text() const {
  return ipv6() ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

Result<ListenAddress> parse_listen_address(std::string_view text) {
  const Error wrong = usage_error(fmt::format("'{}' is no address to listen on", text),
                                  "give host:port, [IPv6 address]:port or :port, such as 127.0.0.1:10435");
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong;
  const auto port = parse_port(text.substr(colon + 1));
  if (!port) return wrong;
  std::string host(text.substr(0, colon));
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    if (!is_ipv6(host)) return wrong;
  } else if (!host.empty() && !is_host(host)) {
    return wrong;
  }
  return ListenAddress{std::move(host), *port};
}

}  // namespace nettoll::exporter
