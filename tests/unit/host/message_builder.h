// SPDX-License-Identifier: Apache-2.0
// Netlink messages made by hand.
#pragma once

#include <linux/netlink.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace nettoll {

/// Bytes of a message behind its nlmsghdr.
class MessageBuilder {
 public:
  template <typename T>
  MessageBuilder& raw(const T& value) {
    return append(&value, sizeof(value));
  }
  MessageBuilder& append(const void* data, size_t size) {
    const auto* const begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
    bytes_.resize(NLMSG_ALIGN(bytes_.size()));
    return *this;
  }
  template <typename T>
  MessageBuilder& attribute(uint16_t type, const T& value) {
    raw(nlattr{static_cast<uint16_t>(NLA_HDRLEN + sizeof(value)), type});
    return raw(value);
  }
  MessageBuilder& text(uint16_t type, std::string_view value) {
    raw(nlattr{static_cast<uint16_t>(NLA_HDRLEN + value.size()), type});
    return append(value.data(), value.size());
  }
  MessageBuilder& nested(uint16_t type, const MessageBuilder& inner) {
    raw(nlattr{static_cast<uint16_t>(NLA_HDRLEN + inner.bytes_.size()),
               static_cast<uint16_t>(type | NLA_F_NESTED)});
    return append(inner.bytes_.data(), inner.bytes_.size());
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace nettoll
