// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/http_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll::exporter {
namespace {

HttpSources sources(Health health = {}) {
  const auto snapshot = std::make_shared<const Snapshot>(Snapshot{1, "text\n", "packed"});
  return {[snapshot] { return snapshot; }, [health] { return health; }, "1.2.3"};
}

TEST(AcceptsGzip, FollowsTheHeader) {
  const struct {
    const char* header;
    bool accepts;
  } cases[] = {
      {"", false},
      {"gzip", true},
      {"GZip", true},
      {"x-gzip", true},
      {"deflate, gzip", true},
      {"deflate , gzip;q=0.5", true},
      {"gzip; q=1.0, identity; q=0.5", true},
      {"gzip;q=0", false},
      {"gzip;q=0.000", false},
      {"gzip;q=nonsense", false},
      {"*", true},
      {"*;q=0", false},
      {"gzip;q=0, *", false},
      {"*;q=0, gzip", true},
      {"identity", false},
      {"gzipped", false},
      {",,;", false},
      {"deflate;gzip", false},
      {"gzip;Q=0", false},
  };
  for (const auto& c : cases) EXPECT_EQ(accepts_gzip(c.header), c.accepts) << c.header;
}

TEST(HttpReply, MetricsAreCompressedOnRequest) {
  const HttpReply plain = reply_to({"GET", "/metrics", ""}, sources());
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(*plain.body, "text\n");
  EXPECT_FALSE(plain.gzip);
  EXPECT_TRUE(plain.varies);
  const HttpReply packed = reply_to({"GET", "/metrics", "gzip"}, sources());
  EXPECT_EQ(*packed.body, "packed");
  EXPECT_TRUE(packed.gzip);
  EXPECT_TRUE(packed.varies);
}

TEST(HttpReply, ServesPlainTextWhereCompressionFailed) {
  HttpSources from = sources();
  from.scrape = [] { return std::make_shared<const Snapshot>(Snapshot{1, "text\n", ""}); };
  const HttpReply reply = reply_to({"GET", "/metrics", "gzip"}, from);
  EXPECT_EQ(*reply.body, "text\n");
  EXPECT_FALSE(reply.gzip);
}

TEST(HttpReply, HealthSaysWhyNot) {
  EXPECT_EQ(reply_to({"GET", "/healthz", ""}, sources()).status, 200);
  EXPECT_EQ(*reply_to({"GET", "/healthz", ""}, sources()).body, "ok\n");
  const HttpReply bad = reply_to({"GET", "/healthz", ""}, sources({false, "no new data"}));
  EXPECT_EQ(bad.status, 503);
  EXPECT_EQ(*bad.body, "no new data\n");
}

TEST(HttpReply, LandingPageLinksAndNamesTheVersion) {
  const HttpReply reply = reply_to({"GET", "/", ""}, sources());
  EXPECT_EQ(reply.content_type, "text/html; charset=utf-8");
  EXPECT_THAT(*reply.body,
              testing::AllOf(testing::HasSubstr("href=\"/metrics\""), testing::HasSubstr("href=\"/healthz\""),
                             testing::HasSubstr("1.2.3")));
}

TEST(HttpReply, OnlyGetAndHeadOfWhatIsThere) {
  const struct {
    const char* method;
    const char* path;
    int status;
  } cases[] = {
      {"HEAD", "/metrics", 200},    {"POST", "/metrics", 405}, {"DELETE", "/", 405},
      {"OPTIONS", "/healthz", 405}, {"GET", "/metrics/", 404}, {"GET", "/metricsx", 404},
      {"GET", "/etc/passwd", 404},  {"POST", "/none", 404},    {"GET", "", 404},
  };
  for (const auto& c : cases) {
    const HttpReply reply = reply_to({c.method, c.path, ""}, sources());
    EXPECT_EQ(reply.status, c.status) << c.method << " " << c.path;
    EXPECT_EQ(reply.allow, c.status == 405);
    EXPECT_FALSE(reply.body->empty());
  }
}

}  // namespace
}  // namespace nettoll::exporter
