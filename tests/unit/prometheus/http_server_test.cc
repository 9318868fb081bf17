// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "exporters/prometheus/bcrypt.h"
#include "fakes/gunzip.h"
#include "unit/prometheus/exposition_text.h"
#include "unit/prometheus/http_client.h"
#include "unit/prometheus/sample_tick.h"

namespace nettoll::exporter {
namespace {

class HttpServerTest : public testing::Test {
 protected:
  HttpServerTest() {
    auto started = start({"127.0.0.1", 0}, sources());
    if (!started) throw std::runtime_error(started.error().text());
    server_.emplace(std::move(*started));
    exposition_.tick(tick_.profile, tick_.costs);
  }
  static Result<HttpServer> start(const ListenAddress& address, HttpSources sources,
                                  const WebConfig& config = {}, const HttpLimits& limits = {}) {
    auto socket = open_listen_socket(address);
    if (!socket) return socket.error();
    auto access = std::make_shared<WebAccess>();
    access->config = config;
    if (!config.users.empty()) access->nobody = hash_of_nobody(4);
    return HttpServer::start(std::move(*socket), std::move(sources), std::move(access), limits);
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
  auto broken = start({"127.0.0.1", 0}, {[]() -> std::shared_ptr<const Snapshot> { throw std::bad_alloc(); },
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
  const auto second = start({"127.0.0.1", port()}, sources());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, EADDRINUSE);
  EXPECT_THAT(second.error().text(),
              testing::StartsWith(fmt::format(
                  "cannot listen on 127.0.0.1:{}: Address already in use; another nettoll?", port())));
  EXPECT_THAT(second.error().text(), testing::HasSubstr("--web.listen-address"));
  EXPECT_EQ(request(port(), "GET", "/healthz").status, 200);
}

TEST_F(HttpServerTest, AnAddressOfNobodyIsAnError) {
  const auto foreign = start({"192.0.2.1", 0}, sources());  // TEST-NET-1
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, EADDRNOTAVAIL);
  EXPECT_EQ(foreign.error().kind, ErrorKind::failure);
}

TEST_F(HttpServerTest, AStoppedServerFreesThePort) {
  const uint16_t used = port();
  server_.reset();
  EXPECT_THROW(connect_to(used), std::runtime_error);
  auto again = start({"127.0.0.1", used}, sources());
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(request(used, "GET", "/healthz").status, 200);
}

TEST_F(HttpServerTest, ListensOnEveryAddress) {
  auto any = start({"", 0}, sources());
  ASSERT_TRUE(any) << any.error().text();
  EXPECT_EQ(request(any->port(), "GET", "/healthz").status, 200);
}

TEST_F(HttpServerTest, AsksForThePassword) {
  WebConfig config;
  config.users = {{"user", "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"}};  // "secret"
  config.headers = {{"X-Frame-Options", "deny"}};
  auto closed = start({"127.0.0.1", 0}, sources(), config);
  ASSERT_TRUE(closed);
  const char* const right = "Authorization: Basic dXNlcjpzZWNyZXQ=\r\n";
  const struct {
    const char* header;
    int status;
  } cases[] = {
      {"", 401},
      {"Authorization: Basic dXNlcjpTZWNyZXQ=\r\n", 401},  // user:Secret
      {"Authorization: Basic cm9vdDpzZWNyZXQ=\r\n", 401},  // root:secret
      {"Authorization: Basic !\r\n", 401},
      {"Authorization: Bearer dXNlcjpzZWNyZXQ=\r\n", 401},
      {right, 200},
  };
  for (int twice = 0; twice < 2; ++twice) {  // the second time from the cache
    for (const auto& c : cases) {
      const HttpResponse response = request(closed->port(), "GET", "/metrics", c.header);
      EXPECT_EQ(response.status, c.status) << c.header;
      EXPECT_EQ(response.headers.at("x-frame-options"), "deny");
      EXPECT_EQ(response.headers.contains("www-authenticate"), c.status == 401);
    }
  }
  for (const char* path : {"/", "/healthz", "/nothing"})
    EXPECT_EQ(request(closed->port(), "GET", path).status, 401) << path;

  auto open = std::make_shared<WebAccess>();
  closed->use(open);
  EXPECT_EQ(request(closed->port(), "GET", "/healthz").status, 200);
}

TEST_F(HttpServerTest, AHeadTooLongIsRefused) {
  const HttpResponse refused = request(port(), "GET", "/metrics", "X: " + std::string(20'000, 'x') + "\r\n");
  EXPECT_EQ(refused.status, 431);
  const std::string path = "/" + std::string(20'000, 'x');
  EXPECT_EQ(request(port(), "GET", path).status, 414);
}

TEST_F(HttpServerTest, SlowClientsGoAndOthersAreServed) {
  HttpLimits limits;
  limits.connections = 8;
  limits.first_request = std::chrono::milliseconds(1500);
  auto server = start({"127.0.0.1", 0}, sources(), {}, limits);
  ASSERT_TRUE(server);
  std::vector<UniqueFd> slow;
  for (int i = 0; i < 40; ++i) {
    slow.push_back(connect_to(server->port()));
    send_text(slow.back(), "GET /metrics HTTP/1.1\r\nX: ");
  }
  EXPECT_EQ(request(server->port(), "GET", "/metrics").status, 200);
  // The first ones had to make room, the last ones were too late.
  for (const UniqueFd& fd : slow) EXPECT_EQ(receive_all(fd), "");
}

TEST_F(HttpServerTest, WhoDoesNotReadTheReplyGoes) {
  HttpLimits limits;
  limits.reply = std::chrono::milliseconds(300);
  limits.send_buffer = 4096;
  const auto large = std::make_shared<Snapshot>();
  large->text.assign(64 << 20, 'x');
  auto server =
      start({"127.0.0.1", 0}, {[&] { return large; }, [] { return Health{}; }, "0.1.0"}, {}, limits);
  ASSERT_TRUE(server);
  const UniqueFd fd = connect_to(server->port());
  send_text(fd, "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  while (large.use_count() == 1) std::this_thread::yield();  // the reply has begun
  while (large.use_count() > 1) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_LT(receive_all(fd).size(), large->text.size());
}

/// Leaves this process no descriptor, while it lives.
class NoDescriptors {
 public:
  NoDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const UniqueFd lowest(::dup(STDERR_FILENO));
    const rlimit none{static_cast<rlim_t>(lowest.get()), before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;
  ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

std::chrono::nanoseconds process_cpu_time() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

TEST_F(HttpServerTest, AClientWaitsForADescriptorAndCostsNoTime) {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  {
    const NoDescriptors none;
    connect_by(fd, port());
    send_text(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    const auto before = process_cpu_time();
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    EXPECT_LT(process_cpu_time() - before, std::chrono::milliseconds(300));
    char byte;
    EXPECT_LT(::recv(fd.get(), &byte, 1, MSG_DONTWAIT), 0) << "it was let in, so this test shows nothing";
  }
  EXPECT_EQ(parse_response(receive_all(fd)).status, 200);
}

TEST_F(HttpServerTest, AnIdleClientGivesItsDescriptorToOneThatWaits) {
  const UniqueFd idle = connect_to(port());
  send_text(idle, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  char byte;
  ASSERT_EQ(::recv(idle.get(), &byte, 1, MSG_PEEK), 1);
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const NoDescriptors none;
  connect_by(fd, port());
  send_text(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(parse_response(receive_all(fd)).status, 200);
  EXPECT_EQ(parse_response(receive_all(idle)).status, 200);  // and then the end
}

TEST_F(HttpServerTest, ItsThreadsHaveNoCapabilities) {
  request(port(), "GET", "/healthz");
  int found = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::ifstream(thread.path() / "comm") >> name;
    if (name != "nettoll-http") continue;
    ++found;
    std::ifstream file(thread.path() / "status");
    const std::string status{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(status, testing::HasSubstr("CapEff:\t0000000000000000"));
    EXPECT_THAT(status, testing::HasSubstr("CapPrm:\t0000000000000000"));
    EXPECT_THAT(status, testing::HasSubstr("NoNewPrivs:\t1"));
  }
  EXPECT_GE(found, 2) << "it serves, and checks passwords";
}

}  // namespace
}  // namespace nettoll::exporter
