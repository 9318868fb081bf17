// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/listen_address.h"

#include <gtest/gtest.h>

namespace nettoll::exporter {
namespace {

TEST(ListenAddress, ParsesWhatExportersTake) {
  const struct {
    const char* text;
    ListenAddress address;
  } cases[] = {
      {"127.0.0.1:10435", {"127.0.0.1", 10435}},
      {":9100", {"", 9100}},
      {"[::1]:80", {"::1", 80}},
      {"[::]:80", {"::", 80}},
      {"localhost:0", {"localhost", 0}},
      {"a-b.example.org:65535", {"a-b.example.org", 65535}},
  };
  for (const auto& c : cases) {
    const auto address = parse_listen_address(c.text);
    ASSERT_TRUE(address) << c.text;
    EXPECT_EQ(*address, c.address) << c.text;
    EXPECT_EQ(address->text(), c.text);
  }
  EXPECT_TRUE(parse_listen_address(kDefaultListenAddress));
}

TEST(ListenAddress, RefusesTheRestAsWrongUsage) {
  for (const char* text :
       {"", "10435", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:80s",
        "127.0.0.1: 80", "::1:80", "[::1]", "[::1:80", "[127.0.0.1]:80", "[]:80", "1.2.3:80", "300.1.1.1:80",
        "a,b:80", "a b:80", "http://localhost:80", "+80"}) {
    const auto address = parse_listen_address(text);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().kind, ErrorKind::usage);
    EXPECT_NE(address.error().message.find(text), std::string::npos);
    EXPECT_FALSE(address.error().remedy.empty());
  }
}

}  // namespace
}  // namespace nettoll::exporter
