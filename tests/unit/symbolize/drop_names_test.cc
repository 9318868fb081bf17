// SPDX-License-Identifier: Apache-2.0
#include "symbolize/drop_names.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(DropNames, NamesReasonsAndKeepsAllBitsOfUnknownOnes) {
  const DropReasonNames names{{{2, "NOT_SPECIFIED"}, {3, "NO_SOCKET"}, {0x10002, "RX_DROP_U_REPLAY"}},
                              {{0, "core"}, {1, "mac80211_unusable"}}};
  EXPECT_EQ(drop_reason_name(names, 3), "NO_SOCKET");
  EXPECT_EQ(drop_reason_name(names, 0x10002), "RX_DROP_U_REPLAY");
  EXPECT_EQ(drop_reason_name(names, 0), "unknown_0");
  EXPECT_EQ(drop_reason_name(names, 0x20003), "unknown_131075");
  EXPECT_EQ(drop_reason_name(names, 0xffffffff), "unknown_4294967295");
  EXPECT_EQ(drop_reason_name({}, 3), "unknown_3");
}

TEST(DropNames, NamesSubsystems) {
  const DropReasonNames names{{}, {{0, "core"}, {1, "mac80211_unusable"}}};
  EXPECT_EQ(drop_subsystem_name(names, 3), "core");
  EXPECT_EQ(drop_subsystem_name(names, 0x10002), "mac80211_unusable");
  EXPECT_EQ(drop_subsystem_name(names, 0x30001), "subsys_3");
  EXPECT_EQ(drop_subsystem_name(names, 0xffff0000), "subsys_65535");
  EXPECT_EQ(drop_subsystem_name({}, 3), "core");
}

TEST(DropNames, NamesProtocols) {
  EXPECT_EQ(protocol_name(0), "none");
  EXPECT_EQ(protocol_name(0x0800), "ipv4");
  EXPECT_EQ(protocol_name(0x86dd), "ipv6");
  EXPECT_EQ(protocol_name(0x0806), "arp");
  EXPECT_EQ(protocol_name(0x88cc), "0x88cc");
  EXPECT_EQ(protocol_name(0x0004), "0x0004");
}

}  // namespace
}  // namespace nettoll
