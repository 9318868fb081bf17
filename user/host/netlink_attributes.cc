// SPDX-License-Identifier: Apache-2.0
#include "host/netlink_attributes.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

namespace nettoll {

std::optional<std::span<const std::byte>> Attributes::find(uint16_t type) const {
  std::span<const std::byte> rest = bytes_;
  while (rest.size() >= sizeof(rtattr)) {
    const auto head = read_as<rtattr>(rest);
    if (head.rta_len < sizeof(rtattr) || head.rta_len > rest.size()) break;
    if ((head.rta_type & NLA_TYPE_MASK) == type)
      return rest.subspan(sizeof(rtattr), head.rta_len - sizeof(rtattr));
    rest = rest.subspan(std::min(rest.size(), size_t{RTA_ALIGN(head.rta_len)}));
  }
  return std::nullopt;
}

std::optional<uint64_t> Attributes::uint(uint16_t type) const {
  if (const auto wide = number<uint64_t>(type)) return wide;
  return number<uint32_t>(type);
}

std::optional<std::string> Attributes::text(uint16_t type) const {
  const auto content = find(type);
  if (!content) return std::nullopt;
  std::string text(reinterpret_cast<const char*>(content->data()), content->size());
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

}  // namespace nettoll
