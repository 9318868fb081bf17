// SPDX-License-Identifier: Apache-2.0
#include "cli/drop_filter_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/netns_target.h"
#include "fakes/fake_root.h"

namespace nettoll {
namespace {

using ::testing::HasSubstr;

const DropReasonNames kNames{
    {{1, "CONSUMED"}, {3, "NO_SOCKET"}, {5, "UDP_CSUM"}, {0x30001, "NO_SOCKET"}, {0x30002, "SPECIAL"}},
    {{0, "core"}, {3, "openvswitch"}}};

using Numbers = std::vector<uint32_t>;

TEST(DropReasons, AreFoundByName) {
  const struct {
    std::vector<std::string> names;
    Numbers expected;
  } cases[] = {
      {{"UDP_CSUM"}, {5}},
      {{"udp_csum"}, {5}},
      {{"SKB_DROP_REASON_UDP_CSUM"}, {5}},
      {{"SKB_CONSUMED"}, {1}},
      {{"NO_SOCKET"}, {3, 0x30001}},
      {{"core:NO_SOCKET"}, {3}},
      {{"openvswitch:no_socket"}, {0x30001}},
      {{"UDP_CSUM", "SPECIAL", "UDP_CSUM"}, {5, 0x30002}},
      {{"77"}, {77}},
      {{"0x30009"}, {0x30009}},
  };
  for (const auto& c : cases) {
    const auto found = parse_drop_reasons(c.names, kNames);
    ASSERT_TRUE(found) << c.names.front();
    EXPECT_EQ(*found, c.expected) << c.names.front();
  }
}

TEST(DropReasons, ThatDoNotExistAreUsageErrorsWithNearNames) {
  const auto near = parse_drop_reasons({"NO_SOKET"}, kNames);
  ASSERT_FALSE(near);
  EXPECT_EQ(near.error().kind, ErrorKind::usage);
  EXPECT_THAT(near.error().text(), HasSubstr("'NO_SOKET'"));
  EXPECT_THAT(near.error().text(), HasSubstr("did you mean NO_SOCKET"));
  for (const char* name : {"", "nonsense_of_no_kind", "openvswitch:UDP_CSUM", "99999999999"}) {
    const auto wrong = parse_drop_reasons({name}, kNames);
    ASSERT_FALSE(wrong) << name;
    EXPECT_EQ(wrong.error().kind, ErrorKind::usage);
  }
  std::vector<std::string> many;
  for (int i = 0; i < 65; ++i) many.push_back(std::to_string(i));
  EXPECT_FALSE(parse_drop_reasons(many, kNames));
}

TEST(DropProtocols, AreKnownByName) {
  DropFilter filter;
  ASSERT_TRUE(parse_drop_protocol("ip", filter));
  EXPECT_EQ(filter.ethertype, 0x0800);
  ASSERT_TRUE(parse_drop_protocol("IPv6", filter));
  EXPECT_EQ(filter.ethertype, 0x86dd);
  ASSERT_TRUE(parse_drop_protocol("none", filter));
  EXPECT_EQ(filter.ethertype, 0);
  ASSERT_TRUE(parse_drop_protocol("0x88cc", filter));
  EXPECT_EQ(filter.ethertype, 0x88cc);
  ASSERT_TRUE(parse_drop_protocol("icmp", filter));
  EXPECT_FALSE(filter.ethertype);
  EXPECT_EQ(filter.transports, (std::vector<uint8_t>{1, 58}));
  for (const char* name : {"tpc", "", "0x", "0x12345", "17"})
    EXPECT_FALSE(parse_drop_protocol(name, filter)) << name;
  EXPECT_THAT(parse_drop_protocol("upd", filter).error().text(), HasSubstr("did you mean"));
  EXPECT_THAT(parse_drop_protocol("", filter).error().text(), HasSubstr("--proto is empty"));
  EXPECT_THAT(parse_drop_protocol("0x", filter).error().text(), HasSubstr("such as 0x88cc"));
}

TEST(DropFilter, MatchesCountedRows) {
  const RawDrops row{3, 1, 0x0800, {7, 2}, "eth0", 5};
  const auto with = [](auto set) {
    DropFilter filter;
    set(filter);
    return filter;
  };
  EXPECT_TRUE(matches({}, row));
  EXPECT_TRUE(matches(with([](auto& f) { f.reasons = {1, 3}; }), row));
  EXPECT_FALSE(matches(with([](auto& f) { f.reasons = {1}; }), row));
  EXPECT_TRUE(matches(with([](auto& f) { f.netns = 7; }), row));
  EXPECT_FALSE(matches(with([](auto& f) { f.netns = 8; }), row));
  EXPECT_FALSE(matches(with([](auto& f) { f.ifindex = 3; }), row));
  EXPECT_TRUE(matches(with([](auto& f) { f.ifindex = 2; }), row));
}

TEST(DropFilter, AnEmptyDeviceIsAUsageError) {
  DropFilterOptions options;
  options.device = "";
  const auto filter = drop_filter(options, kNames, true, KernelFs());
  ASSERT_FALSE(filter);
  EXPECT_EQ(filter.error().kind, ErrorKind::usage);
  EXPECT_THAT(filter.error().text(), HasSubstr("--dev is empty"));
}

TEST(Netns, IsFoundByPathProcessAndInode) {
  const KernelFs fs;
  const auto own = own_netns_target();
  ASSERT_TRUE(own) << own.error().text();
  EXPECT_GE(own->inode, 0xeffffff0u);
  for (const std::string& text :
       {std::string("/proc/self/ns/net"), std::to_string(::getpid()), std::to_string(own->inode)}) {
    const auto found = find_netns(text, fs);
    ASSERT_TRUE(found) << text << ": " << found.error().text();
    EXPECT_EQ(found->inode, own->inode) << text;
    EXPECT_FALSE(found->path.empty()) << text;
  }
  const auto unknown = find_netns("4294967290", fs);
  ASSERT_TRUE(unknown) << "a number may be one that no process shows";
  EXPECT_EQ(unknown->path, "");
  EXPECT_FALSE(devices_of(*unknown));
}

TEST(Netns, NamesComeBeforeProcesses) {
  const auto own = own_netns_target();
  ASSERT_TRUE(own) << own.error().text();
  const FakeRoot root;
  root.link("/run/netns/4242", "/proc/self/ns/net");
  root.link("/proc/4242/ns/net", "/proc/self/ns/uts");
  root.link("/proc/4243/ns/net", "/proc/self/ns/net");
  const KernelFs fs(root.path());
  for (const char* text : {"4242", "4243"}) {
    const auto found = find_netns(text, fs);
    ASSERT_TRUE(found) << text << ": " << found.error().text();
    EXPECT_EQ(found->inode, own->inode) << text;
  }
}

TEST(Netns, OfANumberIsEnteredByItsName) {
  const auto own = own_netns_target();
  ASSERT_TRUE(own) << own.error().text();
  const FakeRoot root;
  root.write("/run/netns/stale", "");
  root.link("/run/netns/blue", "/proc/self/ns/net");
  const auto found = find_netns(std::to_string(own->inode), KernelFs(root.path()));
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->path, root.path() + "/run/netns/blue") << "no process is in it here";
}

TEST(Netns, ThatIsNoneIsAUsageError) {
  const KernelFs fs;
  for (const char* text :
       {"", "/no/such/file", "/proc/self/status", "/proc/self/ns/uts", "99999999999", "4194305"}) {
    const auto found = find_netns(text, fs);
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.error().kind, ErrorKind::usage) << text << ": " << found.error().text();
  }
}

}  // namespace
}  // namespace nettoll
