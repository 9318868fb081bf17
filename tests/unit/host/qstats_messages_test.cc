// SPDX-License-Identifier: Apache-2.0
#include "host/qstats_messages.h"

#include <gtest/gtest.h>
#include <linux/genetlink.h>

#include "message_builder.h"

namespace nettoll {
namespace {

// NETDEV_A_QSTATS_* of include/uapi/linux/netdev.h.
constexpr uint16_t kIfindex = 1, kType = 2, kQueue = 3, kRxPackets = 8, kTxPackets = 10, kRxHwDrops = 13;

MessageBuilder head() {
  return MessageBuilder().raw(genlmsghdr{12, 1, 0});
}
MessageBuilder of_queue(uint32_t ifindex, uint32_t type, uint32_t queue) {
  return head().attribute(kIfindex, ifindex).attribute(kType, type).attribute(kQueue, queue);
}

TEST(QstatsMessages, NumbersOfBothWidths) {
  std::map<uint32_t, QueueStatistics> devices;
  ASSERT_TRUE(add_qstats(of_queue(4, 0, 0).attribute(kRxPackets, uint32_t{48010}).bytes(), devices));
  ASSERT_TRUE(add_qstats(
      of_queue(4, 0, 9).attribute(kRxPackets, uint64_t{1} << 40).attribute(kRxHwDrops, uint32_t{3}).bytes(),
      devices));
  ASSERT_TRUE(add_qstats(of_queue(4, 1, 0).attribute(kTxPackets, uint32_t{7}).bytes(), devices));
  ASSERT_TRUE(add_qstats(of_queue(5, 0, 0).bytes(), devices));
  ASSERT_TRUE(add_qstats(of_queue(5, 2, 0).attribute(kRxPackets, uint32_t{1}).bytes(), devices));
  EXPECT_EQ(devices[4], (QueueStatistics{{{0, 48010}, {9, uint64_t{1} << 40}}, {{9, 3}}, {{0, 7}}}));
  EXPECT_EQ(devices[5], QueueStatistics{});
}

TEST(QstatsMessages, MustNameAQueue) {
  std::map<uint32_t, QueueStatistics> devices;
  EXPECT_FALSE(add_qstats({}, devices));
  EXPECT_FALSE(add_qstats(head().bytes(), devices));
  EXPECT_FALSE(add_qstats(head().attribute(kIfindex, uint32_t{4}).attribute(kRxPackets, uint32_t{1}).bytes(),
                          devices));
  EXPECT_TRUE(devices.empty());
}

TEST(QstatsMessages, Family) {
  EXPECT_EQ(
      parse_family(
          head().text(CTRL_ATTR_FAMILY_NAME, "netdev").attribute(CTRL_ATTR_FAMILY_ID, uint16_t{20}).bytes()),
      20);
  EXPECT_EQ(parse_family(head().bytes()), std::nullopt);
  EXPECT_EQ(parse_family({}), std::nullopt);
}

}  // namespace
}  // namespace nettoll
