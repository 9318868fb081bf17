// SPDX-License-Identifier: Apache-2.0
// The Basic scheme of HTTP (RFC 7617).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nettoll::exporter {

struct Credentials {
  std::string user;
  std::string password;

  bool operator==(const Credentials&) const = default;
};

/// What an Authorization header holds; nothing for another scheme, and for nonsense.
std::optional<Credentials> parse_basic_auth(std::string_view header);

}  // namespace nettoll::exporter
