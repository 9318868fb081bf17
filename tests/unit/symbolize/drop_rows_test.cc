// SPDX-License-Identifier: Apache-2.0
#include "symbolize/drop_rows.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

const DropReasonNames kNames{{{3, "NO_SOCKET"}}, {{0, "core"}, {1, "mac80211_unusable"}}};

TEST(DropRows, SayWhatWhereAndWhose) {
  const RawDrops raw{3, 0xffffffff81000105, 0x0800, {4026531840, 7}, "veth0", 12};
  const Drops named = name_drop(raw, {"udp_queue_rcv", kVmlinux, SymbolKind::kernel}, kNames, true);
  const Drops expected{"NO_SOCKET", "core", "udp_queue_rcv", kVmlinux, "ipv4", "veth0", 4026531840, 12};
  EXPECT_EQ(named, expected);
}

TEST(DropRows, GiveTheAddressOfAnUnknownPlace) {
  const Drops named = name_drop({0x10009, 0xffffffffc0001234, 0, {}, "", 1},
                                {kUnknownName, "", SymbolKind::unknown}, kNames, true);
  const Drops expected{"unknown_65545", "mac80211_unusable", "0xffffffffc0001234", "", "none", "", 0, 1};
  EXPECT_EQ(named, expected);
}

TEST(DropRows, AreUnclassifiedWithoutReasons) {
  const Drops named =
      name_drop({3, 0xffffffff81000105, 0x86dd, {}, "", 1}, {"f", "m", SymbolKind::kernel}, kNames, false);
  EXPECT_EQ(named.reason, "unclassified");
  EXPECT_EQ(named.subsystem, "");
  EXPECT_EQ(named.protocol, "ipv6");
}

TEST(DropRows, AreSummedWhereOnlyPacketsDiffer) {
  const Drops a{"A", "core", "f", "vmlinux", "ipv4", "eth0", 1, 5};
  Drops other_namespace = a, more = a, other_device = a;
  other_namespace.netns = 2;
  other_device.device = "eth1";
  more.packets = 7;
  const auto merged = merge_drops({a, other_device, other_namespace, more});
  Drops sum = a;
  sum.packets = 12;
  EXPECT_EQ(merged, (std::vector<Drops>{sum, other_namespace, other_device}));
  EXPECT_TRUE(merge_drops({}).empty());
}

}  // namespace
}  // namespace nettoll
