// SPDX-License-Identifier: Apache-2.0
#include "host/qstats_messages.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include <cstring>

#include "host/netlink_attributes.h"

namespace nettoll {
namespace {

// include/uapi/linux/netdev.h, which Debian 12 does not have yet.
constexpr uint8_t kQstatsGet = 12;
constexpr uint16_t kIfindex = 1, kQueueType = 2, kQueueId = 3, kScope = 4, kRxPackets = 8, kTxPackets = 10,
                   kRxHwDrops = 13;
constexpr uint32_t kRxQueue = 0, kTxQueue = 1, kScopeQueue = 1;

constexpr char kFamily[] = "netdev";

template <size_t kSize, typename T>
void put(std::array<std::byte, kSize>& bytes, size_t at, const T& value) {
  static_assert(sizeof(T) <= kSize);
  std::memcpy(bytes.data() + at, &value, sizeof(value));
}

std::span<const std::byte> behind_head(std::span<const std::byte> message) {
  return message.subspan(std::min(message.size(), size_t{GENL_HDRLEN}));
}

}  // namespace

std::array<std::byte, 16> family_request() {
  std::array<std::byte, 16> bytes{};
  put(bytes, 0, genlmsghdr{CTRL_CMD_GETFAMILY, 1, 0});
  put(bytes, GENL_HDRLEN, nlattr{NLA_HDRLEN + sizeof(kFamily), CTRL_ATTR_FAMILY_NAME});
  put(bytes, GENL_HDRLEN + NLA_HDRLEN, kFamily);
  return bytes;
}

std::optional<uint16_t> parse_family(std::span<const std::byte> message) {
  return Attributes(behind_head(message)).number<uint16_t>(CTRL_ATTR_FAMILY_ID);
}

std::array<std::byte, 12> qstats_request() {
  std::array<std::byte, 12> bytes{};
  put(bytes, 0, genlmsghdr{kQstatsGet, 1, 0});
  put(bytes, GENL_HDRLEN, nlattr{NLA_HDRLEN + sizeof(kScopeQueue), kScope});
  put(bytes, GENL_HDRLEN + NLA_HDRLEN, kScopeQueue);
  return bytes;
}

Status add_qstats(std::span<const std::byte> message, std::map<uint32_t, QueueStatistics>& devices) {
  const Attributes attributes(behind_head(message));
  const auto ifindex = attributes.number<uint32_t>(kIfindex), type = attributes.number<uint32_t>(kQueueType),
             queue = attributes.number<uint32_t>(kQueueId);
  if (!ifindex || !type || !queue) return failure("a message about a queue does not say of which");
  QueueStatistics& device = devices[*ifindex];
  const auto keep = [&](uint16_t attribute, std::map<uint32_t, uint64_t>& queues) {
    if (const auto value = attributes.uint(attribute)) queues[*queue] = *value;
  };
  if (*type == kRxQueue) {
    keep(kRxPackets, device.rx_packets);
    keep(kRxHwDrops, device.rx_drops);
  } else if (*type == kTxQueue) {
    keep(kTxPackets, device.tx_packets);
  }
  return {};
}

}  // namespace nettoll
