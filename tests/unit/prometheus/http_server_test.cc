// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "fakes/gunzip.h"
#include "unit/prometheus/exposition_text.h"
#include "unit/prometheus/http_client.h"
#include "unit/prometheus/sample_tick.h"

namespace nettoll::exporter {
namespace {

class HttpServerTest : public testing::Test {
 protected:
  HttpServerTest() {
    auto started = HttpServer::start({"127.0.0.1", 0}, sources());
    if (!started) throw std::runtime_error(started.error().text());
    server_.emplace(std::move(*started));
    exposition_.tick(tick_.profile, tick_.costs);
  }
  HttpSources sources() {
    return {[this] { return exposition_.scrape(); }, [this] { return health_; }, exposition_.version()};
  }
  uint16_t port() const { return server_->port(); }

  const Tick tick_ = sample_tick();
  Exposition exposition_{{.version = "0.1.0", .interval = std::chrono::hours(1)}};
  Health health_;
  std::optional<HttpServer> server_;
};

TEST_F(HttpServerTest, ServesMetricsPlainAndCompressed) {
  const HttpResponse plain = request(port(), "GET", "/metrics");
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.headers.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(plain.headers.at("content-length"), std::to_string(plain.body.size()));
  EXPECT_EQ(plain.headers.at("vary"), "Accept-Encoding");
  EXPECT_FALSE(plain.headers.contains("content-encoding"));
  EXPECT_EQ(plain.body, exposition_.scrape()->text);

  const HttpResponse packed = request(port(), "GET", "/metrics?x=1", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(packed.headers.at("content-encoding"), "gzip");
  EXPECT_EQ(packed.headers.at("content-length"), std::to_string(packed.body.size()));
  EXPECT_LT(packed.body.size(), plain.body.size());
  EXPECT_EQ(gunzip(packed.body), plain.body);
}

TEST_F(HttpServerTest, HeadHasTheHeadAlone) {
  const HttpResponse head = request(port(), "HEAD", "/metrics");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), std::to_string(exposition_.scrape()->text.size()));
  EXPECT_EQ(head.body, "");
}

TEST_F(HttpServerTest, AnswersByPathAndMethod) {
  EXPECT_EQ(request(port(), "GET", "/").status, 200);
  EXPECT_EQ(request(port(), "GET", "/").headers.at("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(request(port(), "GET", "/none").status, 404);
  EXPECT_EQ(request(port(), "GET", "/../../etc/passwd").status, 404);
  for (const char* method : {"PUT", "DELETE", "OPTIONS"}) {
    const HttpResponse refused = request(port(), method, "/metrics");
    EXPECT_EQ(refused.status, 405) << method;
    EXPECT_EQ(refused.headers.at("allow"), "GET, HEAD");
  }
  EXPECT_EQ(request(port(), "POST", "/metrics", "Content-Length: 5\r\n", "hello").status, 405);
}

TEST_F(HttpServerTest, HealthTurnsTo503) {
  EXPECT_EQ(request(port(), "GET", "/healthz").body, "ok\n");
  health_ = {false, "no new data for 9 s"};
  const HttpResponse bad = request(port(), "GET", "/healthz");
  EXPECT_EQ(bad.status, 503);
  EXPECT_EQ(bad.body, "no new data for 9 s\n");
}

TEST_F(HttpServerTest, KeepsTheConnectionForTheNextRequest) {
  const UniqueFd fd = connect_to(port());
  send_text(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  // Head and body may come in pieces; the connection stays open, so the end is known by the body.
  std::string first;
  char piece[4096];
  while (first.find("\r\n\r\nok") == std::string::npos) {
    const ssize_t got = ::recv(fd.get(), piece, sizeof piece, 0);
    ASSERT_GT(got, 0) << first;
    first.append(piece, static_cast<size_t>(got));
  }
  EXPECT_EQ(parse_response(first).status, 200);
  send_text(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(parse_response(receive_all(fd)).status, 200);
}

TEST_F(HttpServerTest, SurvivesClientsThatHangUpOrSendNonsense) {
  for (int i = 0; i < 20; ++i) {
    const UniqueFd fd = connect_to(port());
    send_text(fd, i % 2 ? "GET /metrics HTTP/1.1\r\n\r\n" : "\x16\x03\x01nonsense\r\n\r\n");
  }
  EXPECT_EQ(request(port(), "GET", "/healthz").status, 200);
}

TEST_F(HttpServerTest, AnExceptionBecomesAnError) {
  auto broken = HttpServer::start({"127.0.0.1", 0},
                                  {[]() -> std::shared_ptr<const Snapshot> { throw std::bad_alloc(); },
                                   [] { return Health{}; }, "0.1.0"});
  ASSERT_TRUE(broken);
  EXPECT_EQ(request(broken->port(), "GET", "/metrics").status, 500);
  EXPECT_EQ(request(broken->port(), "GET", "/healthz").status, 200);
}

TEST_F(HttpServerTest, TwentyClientsSeeOneTickEach) {
  std::atomic<int> scraped = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 20; ++i) {
    clients.emplace_back([&, i] {
      for (int n = 0; n < 5; ++n) {
        HttpResponse response = request(port(), "GET", "/metrics", i % 2 ? "Accept-Encoding: gzip\r\n" : "");
        ASSERT_EQ(response.status, 200);
        const auto values = parse_exposition(i % 2 ? gunzip(response.body) : response.body);
        const double ticks = values.at("nettoll_collections_total");
        EXPECT_EQ(values.at(R"(nettoll_path_packets_total{path="rx"})"), 100 * ticks);
        EXPECT_EQ(values.at(R"(nettoll_napi_polls_total{device="eth0",cpu="0"})"), 10 * ticks);
        ++scraped;
      }
    });
  }
  while (scraped < 100 && !HasFailure()) {
    exposition_.tick(tick_.profile, tick_.costs);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(scraped, 100);
}

TEST_F(HttpServerTest, ABusyPortIsAnErrorThatSaysSo) {
  const auto second = HttpServer::start({"127.0.0.1", port()}, sources());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EADDRINUSE);
  EXPECT_THAT(second.error().text(),
              testing::StartsWith(fmt::format(
                  "cannot listen on 127.0.0.1:{}: Address already in use; another nettoll?", port())));
  EXPECT_THAT(second.error().text(), testing::HasSubstr("--web.listen-address"));
  EXPECT_EQ(request(port(), "GET", "/healthz").status, 200);
}

TEST_F(HttpServerTest, AnAddressOfNobodyIsAnError) {
  const auto foreign = HttpServer::start({"192.0.2.1", 0}, sources());  // TEST-NET-1
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, EADDRNOTAVAIL);
  EXPECT_EQ(foreign.error().kind, ErrorKind::failure);
}

TEST_F(HttpServerTest, AStoppedServerFreesThePort) {
  const uint16_t used = port();
  server_.reset();
  EXPECT_THROW(connect_to(used), std::runtime_error);
  auto again = HttpServer::start({"127.0.0.1", used}, sources());
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(request(used, "GET", "/healthz").status, 200);
}

TEST_F(HttpServerTest, ListensOnEveryAddress) {
  auto any = HttpServer::start({"", 0}, sources());
  ASSERT_TRUE(any) << any.error().text();
  EXPECT_EQ(request(any->port(), "GET", "/healthz").status, 200);
}

}  // namespace
}  // namespace nettoll::exporter
