// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/http_server.h"

#include <civetweb.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/unique_fd.h"

namespace nettoll::exporter {
namespace {

// A Prometheus pair, a person and a health check at once; more wait in the queue. Each thread costs about 40
// KB.
constexpr const char* kThreads = "4";
// A client that stalls holds one of the threads for this long, head or body.
constexpr const char* kRequestTimeoutMs = "10000";
// CivetWeb gives a connection a thread for as long as it is open, so one that only idles must go soon.
constexpr const char* kKeepAliveTimeoutMs = "500";

/// Blocks all signals in this thread, and thereby in those it starts, while it lives.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

/// The addresses of host and port; `flags` as in getaddrinfo(3).
Result<Addresses> resolve(const ListenAddress& address, int family, int flags) {
  addrinfo hints{};
  hints.ai_family = family;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int code = ::getaddrinfo(address.host.empty() ? nullptr : address.host.c_str(),
                                 std::to_string(address.port).c_str(), &hints, &list);
  if (code != 0) {
    return failure(fmt::format("cannot listen on {}: {}", address.text(), ::gai_strerror(code)),
                   "choose an address of this host with --web.listen-address");
  }
  return Addresses(list);
}

std::string remedy_for(int code) {
  switch (code) {
    case EADDRINUSE:
      return "another nettoll? choose another --web.listen-address";
    case EADDRNOTAVAIL:
      return "choose an address of this host with --web.listen-address";
    case EACCES:
      return "choose a port above 1023 with --web.listen-address, or run with CAP_NET_BIND_SERVICE";
    default:
      return "choose another --web.listen-address";
  }
}

/// CivetWeb says that it failed, not why: does what it did once more, to have the errno.
Error why_not(const ListenAddress& address, const std::string& civetweb_says) {
  auto list = resolve(address, AF_INET, AI_PASSIVE);
  if (!list) return list.error();
  const std::string what = fmt::format("cannot listen on {}", address.text());
  const addrinfo& first = **list;
  const UniqueFd fd(::socket(first.ai_family, first.ai_socktype | SOCK_CLOEXEC, first.ai_protocol));
  if (!fd) return system_error(what, errno);
  const int on = 1;
  (void)::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd.get(), first.ai_addr, first.ai_addrlen) != 0 || ::listen(fd.get(), 1) != 0) {
    const int code = errno;
    return system_error(what, code, remedy_for(code));
  }
  return failure(fmt::format("{}: {}", what, civetweb_says), remedy_for(0));
}

/// As CivetWeb's option listening_ports has it; "+" is IPv4 and IPv6.
std::string civetweb_port(const ListenAddress& address) {
  if (!address.host.empty()) return address.text();
  return fmt::format("{}{}", mg_check_feature(MG_FEATURES_IPV6) ? "+" : "", address.port);
}

std::string_view text_or_empty(const char* text) {
  return text ? std::string_view(text) : std::string_view();
}

void send(mg_connection* connection, const HttpReply& reply, bool with_body) {
  mg_response_header_start(connection, reply.status);
  const auto add = [&](const char* name, const std::string& value) {
    mg_response_header_add(connection, name, value.c_str(), -1);
  };
  add("Content-Type", reply.content_type);
  add("Content-Length", std::to_string(reply.body->size()));
  add("X-Content-Type-Options", "nosniff");
  if (reply.gzip) add("Content-Encoding", "gzip");
  if (reply.varies) add("Vary", "Accept-Encoding");
  if (reply.allow) add("Allow", "GET, HEAD");
  mg_response_header_send(connection);
  if (with_body) mg_write(connection, reply.body->data(), reply.body->size());
}

}  // namespace

struct HttpServer::Impl {
  Impl(ListenAddress listen, HttpSources from) : address(std::move(listen)), sources(std::move(from)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    stop();
    mg_exit_library();
  }

  Status start();
  void stop();
  void wake(std::stop_token done) const;

  static int on_request(mg_connection* connection);
  static int on_log(const mg_connection* connection, const char* message);

  ListenAddress address;  ///< with the port in use once started
  HttpSources sources;
  mg_context* context = nullptr;
};

/// All requests end here, so CivetWeb's own handling of files never runs.
int HttpServer::Impl::on_request(mg_connection* connection) {
  const auto& impl = *static_cast<const Impl*>(mg_get_user_data(mg_get_context(connection)));
  const mg_request_info& info = *mg_get_request_info(connection);
  const HttpRequest request{text_or_empty(info.request_method), text_or_empty(info.local_uri),
                            text_or_empty(mg_get_header(connection, "Accept-Encoding"))};
  HttpReply reply;
  try {
    reply = reply_to(request, impl.sources);
  } catch (const std::exception& error) {
    // No memory, most likely. Must not pass through C.
    spdlog::error("cannot answer {}: {}", request.path, error.what());
    mg_send_http_error(connection, 500, "%s", "cannot render");
    return 500;
  }
  send(connection, reply, request.method != "HEAD");
  return reply.status;
}

/// Not one line for each client that hangs up; the reason of a failed start is found otherwise.
int HttpServer::Impl::on_log(const mg_connection*, const char* message) {
  spdlog::debug("http: {}", message);
  return 1;
}

Status HttpServer::Impl::start() {
  if (address.ipv6() && !mg_check_feature(MG_FEATURES_IPV6)) {
    return failure(fmt::format("cannot listen on {}: this host's CivetWeb library is built without IPv6",
                               address.text()),
                   "choose an IPv4 address with --web.listen-address");
  }
  const std::string port = civetweb_port(address);
  const char* options[] = {"listening_ports",
                           port.c_str(),
                           "num_threads",
                           kThreads,
                           "request_timeout_ms",
                           kRequestTimeoutMs,
                           "enable_keep_alive",
                           "yes",
                           "keep_alive_timeout_ms",
                           kKeepAliveTimeoutMs,
                           "tcp_nodelay",
                           "1",
                           "enable_directory_listing",
                           "no",
                           nullptr};
  mg_callbacks callbacks{};
  callbacks.begin_request = on_request;
  callbacks.log_message = on_log;
  mg_init_data init{&callbacks, this, options};
  char text[256] = "";
  // The code, which nobody reads, is a pointer until CivetWeb 1.15 and a number from 1.16 on.
  mg_error_data error{};
  error.text = text;
  error.text_buffer_size = sizeof text;
  {
    const BlockedSignals blocked;
    context = mg_start2(&init, &error);
  }
  if (!context) return why_not(address, text);
  mg_server_port in_use{};
  if (mg_get_server_ports(context, 1, &in_use) == 1) address.port = static_cast<uint16_t>(in_use.port);
  return {};
}

/// CivetWeb's accepting thread looks at its stop flag every two seconds, or when a connection comes. So
/// connections come until it has stopped.
void HttpServer::Impl::wake(std::stop_token done) const {
  auto list = resolve(address, AF_UNSPEC, 0);  // without AI_PASSIVE an empty host is the loopback
  while (list && !done.stop_requested()) {
    for (const addrinfo* at = list->get(); at; at = at->ai_next) {
      const UniqueFd fd(
          ::socket(at->ai_family, at->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, at->ai_protocol));
      if (fd) (void)::connect(fd.get(), at->ai_addr, at->ai_addrlen);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void HttpServer::Impl::stop() {
  if (!context) return;
  const BlockedSignals blocked;
  std::jthread waker([this](std::stop_token done) { wake(done); });
  mg_stop(std::exchange(context, nullptr));
}

Result<HttpServer> HttpServer::start(const ListenAddress& address, HttpSources sources) {
  mg_init_library(MG_FEATURES_DEFAULT);  // counts its users
  auto impl = std::make_unique<Impl>(address, std::move(sources));
  if (auto started = impl->start(); !started) return started.error();
  return HttpServer(std::move(impl));
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::HttpServer(HttpServer&&) noexcept = default;
HttpServer& HttpServer::operator=(HttpServer&&) noexcept = default;
HttpServer::~HttpServer() = default;

uint16_t HttpServer::port() const {
  return impl_->address.port;
}

}  // namespace nettoll::exporter
