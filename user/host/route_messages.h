// SPDX-License-Identifier: Apache-2.0
// Messages of rtnetlink(7), without the socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "host/route_source.h"

namespace nettoll {

/// The attributes of a message, or those nested in one. Ends at the first that does not fit its bytes.
class Attributes {
 public:
  explicit Attributes(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// The content of the first attribute of the type; absent where there is none.
  std::optional<std::span<const std::byte>> find(uint16_t type) const;
  /// A number of the machine's byte order. Absent also where the attribute is shorter.
  template <typename Number>
  std::optional<Number> number(uint16_t type) const;
  /// A text with or without a NUL at its end.
  std::optional<std::string> text(uint16_t type) const;

 private:
  std::span<const std::byte> bytes_;
};

/// What follows nlmsghdr in an RTM_NEWLINK.
Result<RouteLink> parse_link(std::span<const std::byte> message);

struct QdiscOf {
  uint32_t ifindex = 0;
  Qdisc qdisc;
};

/// What follows nlmsghdr in an RTM_NEWQDISC.
Result<QdiscOf> parse_qdisc(std::span<const std::byte> message);

/// Handles as tc(8) prints them: "8001:", "0:", and of a parent "root", ":1", "8001:1".
std::string format_handle(uint32_t handle);
std::string format_parent(uint32_t parent);

}  // namespace nettoll
