// SPDX-License-Identifier: Apache-2.0
// The attributes in messages of netlink(7).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

namespace nettoll {

/// The first bytes as a T; what is missing of it is zero.
template <typename T>
T read_as(std::span<const std::byte> bytes) {
  T value{};
  if (!bytes.empty()) std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(T)));
  return value;
}

/// The attributes of a message, or those nested in one. Ends at the first that does not fit its bytes.
class Attributes {
 public:
  explicit Attributes(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// The content of the first attribute of the type; absent where there is none.
  std::optional<std::span<const std::byte>> find(uint16_t type) const;
  /// A number of the machine's byte order. Absent also where the attribute is shorter.
  template <typename Number>
  std::optional<Number> number(uint16_t type) const {
    const auto content = find(type);
    if (!content || content->size() < sizeof(Number)) return std::nullopt;
    return read_as<Number>(*content);
  }
  /// A number of 32 or 64 bits, whichever the kernel found enough (nla_put_uint).
  std::optional<uint64_t> uint(uint16_t type) const;
  /// A text with or without a NUL at its end.
  std::optional<std::string> text(uint16_t type) const;

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace nettoll
