// SPDX-License-Identifier: Apache-2.0
#include "symbolize/drop_samples.h"

#include <gtest/gtest.h>

#include "symbolize/drop_code.h"

namespace nettoll {
namespace {

class DropSampleNaming : public ::testing::Test {
 protected:
  DropSampleNaming() {
    auto symbols = KernelSymbols::parse(
        "ffffffff81000100 T skb_queue_purge_reason\n"
        "ffffffff81000200 t packet_release\n"
        "ffffffff81000300 t net_tx_action\n"
        "ffffffff81000400 t handle_softirqs\n"
        "ffffffff81000500 t last\n");
    symbols_ = std::move(*symbols);
    code_ = find_drop_code(symbols_);
    names_ = {{{1, "QUEUE_PURGE"}, {2, "NOT_SPECIFIED"}}, {{0, "core"}}};
  }
  DropSample name(RawDropSample raw) {
    return name_drop_sample(std::move(raw), {symbols_, code_, names_, true});
  }

  KernelSymbols symbols_;
  DropCode code_;
  DropReasonNames names_;
};

TEST_F(DropSampleNaming, FollowsHelpersAndKeepsTheirFrames) {
  RawDropSample raw;
  raw.reason = 1;
  raw.location = 0xffffffff81000150;
  raw.stack = {0xffffffff81000510, raw.location, 0xffffffff81000300, 0xffffffff81000450};
  raw.device = "eth0";
  raw.protocol = raw.network_protocol = 0x0800;
  raw.id = {7, 2};
  const DropSample sample = name(raw);
  EXPECT_EQ(sample.drop.reason, "QUEUE_PURGE");
  // The return address is that behind the last call of packet_release, where net_tx_action begins.
  EXPECT_EQ(sample.drop.function, "packet_release");
  EXPECT_EQ(sample.drop.helper, "skb_queue_purge_reason");
  EXPECT_EQ(sample.drop.netns, 7u);
  EXPECT_EQ(sample.drop.device, "eth0");
  EXPECT_EQ(sample.drop.protocol, "ipv4");
  EXPECT_EQ(sample.drop.packets, 1u);
  ASSERT_EQ(sample.stack.size(), 3u);
  EXPECT_EQ(sample.stack[0].name, "skb_queue_purge_reason");
  EXPECT_EQ(sample.stack[2].name, "handle_softirqs");
  EXPECT_TRUE(sample.in_softirq);
}

TEST_F(DropSampleNaming, AFunctionsFirstByteIsThatFunction) {
  RawDropSample raw;
  raw.reason = 2;
  raw.location = 0xffffffff81000300;
  const DropSample sample = name(raw);
  EXPECT_EQ(sample.drop.function, "net_tx_action");
  EXPECT_TRUE(sample.stack.empty());
  EXPECT_FALSE(sample.in_softirq);
  EXPECT_EQ(sample.drop.protocol, "none");
}

TEST_F(DropSampleNaming, UnknownCodeIsAnAddress) {
  RawDropSample raw;
  raw.location = 0x1234;
  raw.stack = {0x1234};
  raw.reason = 99;
  const DropSample sample = name(raw);
  EXPECT_EQ(sample.drop.function, "0x1234");
  EXPECT_EQ(sample.drop.reason, "unknown_99");
  EXPECT_EQ(sample.stack.at(0).kind, SymbolKind::unknown);
}

}  // namespace
}  // namespace nettoll
