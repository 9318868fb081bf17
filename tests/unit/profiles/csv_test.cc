// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/csv.h"

#include <gtest/gtest.h>

#include "fakes/string_sink.h"
#include "unit/profiles/small_profile.h"

namespace nettoll {
namespace {

std::string csv(const Joined& joined, const std::vector<uint32_t>& events) {
  StringSink sink;
  EXPECT_TRUE(write_csv(joined.profile, joined.cost, events, sink));
  return sink.text;
}

TEST(Csv, QuotesAndDoesNotRound) {
  Profile profile = small_profile();
  profile.packets.push_back({Path::rx, 0, 8, 8});
  EXPECT_EQ(csv(Joined(std::move(profile)), {0}),
            "function,module,kind,calls,method,condition,cpu-clock.self_ns,cpu-clock.self_samples,"
            "cpu-clock.self_relative_error,cpu-clock.self_share,cpu-clock.inclusive_ns,"
            "cpu-clock.inclusive_samples,cpu-clock.inclusive_relative_error,cpu-clock.inclusive_share,"
            "cpu-clock.per_call_ns,cpu-clock.path,cpu-clock.per_packet_ns\r\n"
            // 40 of 60, 4 calls, 8 packets.
            "net_rx_action,vmlinux,kernel,4,fentry,,10,1,1,0.16666666666666666,40,4,0.5,0.6666666666666666,"
            "10,rx,5\r\n"
            "memcpy,vmlinux,kernel,,,,30,3,0.5773502691896258,0.5,30,3,0.5773502691896258,0.5,,rx,3.75\r\n"
            "\"</script><img src=x>\"\";,'?\xe2\x82\xac\xef\xbf\xbd\",veth,kernel,,,,20,2,0.7071067811865475,"
            "0.3333333333333333,20,2,0.7071067811865475,0.3333333333333333,,other,\r\n");
}

TEST(Csv, WhatWasNotMeasuredIsEmpty) {
  ProfileBuilder builder({"cycles"}, 1);
  builder.counted("ip_rcv", 3);
  const std::string text = csv(Joined(std::move(builder.profile)), {0});
  EXPECT_EQ(text.substr(text.find('\n') + 1), "ip_rcv,vmlinux,kernel,3,fentry,,,,,,,,,,,,\r\n");
}

TEST(Csv, HasNoInclusiveCostWithoutCallChains) {
  ProfileBuilder builder({"cycles"}, 1);
  builder.sample(0, 0, {"ip_rcv"}, 4, 40).counted("ip_rcv", 2);
  builder.profile.packets.push_back({Path::rx, 0, 8, 8});
  builder.profile.session.events[0].chains = false;
  const std::string text = csv(Joined(std::move(builder.profile)), {0});
  EXPECT_EQ(text.substr(text.find('\n') + 1), "ip_rcv,vmlinux,kernel,2,fentry,,40,4,0.5,1,,,,,,other,\r\n");
}

TEST(Csv, IsSafeToPrint) {
  ProfileBuilder builder({"cycles"}, 1);
  builder.sample(0, 0, {"red\x1b[31m"}, 4, 40);
  const std::string text = csv(Joined(std::move(builder.profile)), {0});
  EXPECT_NE(text.find("red?[31m,vmlinux"), std::string::npos) << text;
}

}  // namespace
}  // namespace nettoll
