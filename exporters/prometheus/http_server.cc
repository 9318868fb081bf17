// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/http_server.h"

#include <gnutls/abstract.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/rights.h"
#include "base/unique_fd.h"
#include "exporters/prometheus/bcrypt.h"
#include "exporters/prometheus/connection_guard.h"
#include "exporters/prometheus/password_desk.h"

namespace nettoll::exporter {
namespace {

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

struct StopDaemon {
  void operator()(MHD_Daemon* daemon) const { MHD_stop_daemon(daemon); }
};
struct FreeResponse {
  void operator()(MHD_Response* response) const { MHD_destroy_response(response); }
};
using Body = std::shared_ptr<const std::string>;
using Response = std::unique_ptr<MHD_Response, FreeResponse>;

std::string_view text_or_empty(const char* text) {
  return text ? std::string_view(text) : std::string_view();
}

std::string_view header(MHD_Connection* connection, const char* name) {
  return text_or_empty(MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name));
}

bool has_body(MHD_Connection* connection) {
  const std::string_view length = header(connection, "Content-Length");
  return (!length.empty() && length != "0") || !header(connection, "Transfer-Encoding").empty();
}

int socket_of(MHD_Connection* connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/// The address without the port; for counting alone, never for the log.
std::string client_of(MHD_Connection* connection) {
  const sockaddr* address =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
  if (address->sa_family == AF_INET) {
    const auto& in = reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
    return {reinterpret_cast<const char*>(&in), sizeof in};
  }
  if (address->sa_family != AF_INET6) return {};
  // One host has a whole /64.
  const auto& in6 = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  return {reinterpret_cast<const char*>(&in6), IN6_IS_ADDR_V4MAPPED(&in6) ? sizeof in6 : 8};
}

/// The response shares the body's life.
Response response_of(const HttpReply& reply) {
  auto* body = new Body(reply.body);
  Response response(MHD_create_response_from_buffer_with_free_callback_cls(
      (*body)->size(), const_cast<char*>((*body)->data()),
      [](void* held) { delete static_cast<Body*>(held); }, body));
  if (!response) {
    delete body;
    throw std::bad_alloc();
  }
  const auto add = [&](const char* name, const std::string& value) {
    MHD_add_response_header(response.get(), name, value.c_str());
  };
  add("Content-Type", reply.content_type);
  if (reply.gzip) add("Content-Encoding", "gzip");
  if (reply.varies) add("Vary", "Accept-Encoding");
  if (reply.allow) add("Allow", "GET, HEAD");
  if (reply.status == 401) add("WWW-Authenticate", R"(Basic realm="nettoll", charset="UTF-8")");
  if (reply.retry) add("Retry-After", "1");
  return response;
}

/// Why no descriptor can be had now; 0 where one can.
int no_descriptor() {
  const UniqueFd tried(::eventfd(0, EFD_CLOEXEC));
  return tried ? 0 : errno;
}

/// How soon an accept(2) is tried again that failed for want of a descriptor.
constexpr int kAcceptAgainMs = 100;

/// What is known of a request between the calls for it.
struct Request {
  std::optional<bool> right;  ///< what the desk said
};

}  // namespace

struct HttpServer::Impl {
  Impl(ListenSocket socket, HttpSources from, std::shared_ptr<const WebAccess> who, const HttpLimits& most)
      : listening(std::move(socket)),
        sources(std::move(from)),
        limits(most),
        next_access(who),
        access(std::move(who)),
        guard(most) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    thread.request_stop();
    wake();
  }

  Status start();
  void wake() const { ::eventfd_write(woken.get(), 1); }
  void run(const std::stop_token& done);
  void take_news();
  void let_in();
  int wait_ms() const;

  void connection_changed(MHD_Connection* connection, MHD_ConnectionNotificationCode code);
  MHD_Result request_begins(MHD_Connection* connection);
  MHD_Result answer(MHD_Connection* connection, const char* path, const char* method, Request& request);
  std::optional<HttpReply> check_password(MHD_Connection* connection, const Request& request);
  void send(MHD_Connection* connection, const HttpReply& reply);

  ListenSocket listening;
  const HttpSources sources;
  const HttpLimits limits;
  int listen_fd = -1;  ///< libmicrohttpd's
  UniqueFd woken;

  std::mutex access_mutex;
  std::shared_ptr<const WebAccess> next_access;

  // The rest is the thread's own.
  std::shared_ptr<const WebAccess> access;
  ConnectionGuard guard;
  std::map<int, std::shared_ptr<const TlsCredentials>> sessions;     ///< what each TLS session goes by
  std::map<uint64_t, std::pair<MHD_Connection*, Request*>> waiting;  ///< for the desk, by ticket
  uint64_t last_ticket = 0;
  uint64_t connection_changes = 0;  ///< how many began or ended
  bool said_shut_out = false;
  std::unique_ptr<PasswordDesk> desk;
  std::unique_ptr<MHD_Daemon, StopDaemon> daemon;
  std::jthread thread;  ///< last: it ends before what it uses
};

Status HttpServer::Impl::start() {
  woken.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!woken) return system_error("cannot make an eventfd", errno);
  const auto on_request = [](void* self, MHD_Connection* connection, const char* url, const char* method,
                             const char*, const char*, size_t* upload, void** request) -> MHD_Result {
    auto& impl = *static_cast<Impl*>(self);
    *upload = 0;
    const bool first = !*request;
    if (first) *request = new Request;
    // libmicrohttpd ends a connection after a reply to the first call: right for bodies, which nobody reads,
    // and else the end of keep-alive.
    if (first && !has_body(connection)) return impl.request_begins(connection);
    return impl.answer(connection, url, method, *static_cast<Request*>(*request));
  };
  const auto on_done = [](void* self, MHD_Connection* connection, void** request,
                          MHD_RequestTerminationCode) {
    auto& impl = *static_cast<Impl*>(self);
    impl.guard.replied(socket_of(connection), std::chrono::steady_clock::now());
    delete static_cast<Request*>(std::exchange(*request, nullptr));
  };
  const auto on_connection = [](void* self, MHD_Connection* connection, void**,
                                MHD_ConnectionNotificationCode code) {
    static_cast<Impl*>(self)->connection_changed(connection, code);
  };
  // Driven by the thread below, so that deadlines and passwords need no locks.
  const unsigned flags =
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | unsigned{access->tls ? MHD_USE_TLS : MHD_NO_FLAG};
  const MHD_AccessHandlerCallback handler = on_request;
  const MHD_RequestCompletedCallback completed = on_done;
  const MHD_NotifyConnectionCallback notify = on_connection;
  // More than the guard lets stay: those that it has shut down go at the next turn.
  const auto connections = static_cast<unsigned>(limits.connections + 64);
  std::vector<MHD_OptionItem> options{
      {MHD_OPTION_LISTEN_SOCKET, listening.fd.get(), nullptr},
      {MHD_OPTION_CONNECTION_LIMIT, static_cast<intptr_t>(connections), nullptr},
      {MHD_OPTION_CONNECTION_MEMORY_LIMIT, static_cast<intptr_t>(limits.memory), nullptr},
      {MHD_OPTION_NOTIFY_COMPLETED, reinterpret_cast<intptr_t>(completed), this},
      {MHD_OPTION_NOTIFY_CONNECTION, reinterpret_cast<intptr_t>(notify), this},
      {MHD_OPTION_END, 0, nullptr}};
  // libmicrohttpd wants a certificate, or this; connection_changed() gives each session its own.
  const auto no_certificate = [](gnutls_session_t, const gnutls_datum_t*, int, const gnutls_pk_algorithm_t*,
                                 int, gnutls_pcert_st**, unsigned*, gnutls_privkey_t*) { return -1; };
  gnutls_certificate_retrieve_function2* const no_certificate_function = no_certificate;
  if (access->tls)
    options.insert(options.begin(),
                   {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, reinterpret_cast<void*>(no_certificate_function)});
  daemon.reset(MHD_start_daemon(flags, 0, nullptr, nullptr, handler, this, MHD_OPTION_ARRAY, options.data(),
                                MHD_OPTION_END));
  if (!daemon) return failure("the HTTP server (libmicrohttpd) cannot be started");
  listen_fd = listening.fd.release();  // libmicrohttpd closes it
  const BlockedSignals blocked;
  thread = std::jthread([this](const std::stop_token& done) { run(done); });
  return {};
}

void HttpServer::Impl::run(const std::stop_token& done) {
  pthread_setname_np(pthread_self(), "nettoll-http");
  if (const auto dropped = keep_rights(0); !dropped) spdlog::warn("http: {}", dropped.error().text());
  desk = std::make_unique<PasswordDesk>(bcrypt_matches, [this] { wake(); });
  const int events = MHD_get_daemon_info(daemon.get(), MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
  while (!done.stop_requested()) {
    pollfd watched[] = {
        {events, POLLIN, 0}, {woken.get(), POLLIN, 0}, {guard.full() ? -1 : listen_fd, POLLIN, 0}};
    ::poll(watched, std::size(watched), wait_ms());
    take_news();
    const uint64_t before = connection_changes;
    MHD_run(daemon.get());
    if ((watched[2].revents & POLLIN) && connection_changes == before) let_in();
    for (const int fd : guard.take_condemned(std::chrono::steady_clock::now())) ::shutdown(fd, SHUT_RDWR);
  }
  desk.reset();
  for (const auto& [ticket, whose] : std::exchange(waiting, {})) MHD_resume_connection(whose.first);
  daemon.reset();
}

/// A client was not let in: there is no descriptor for it, or libmicrohttpd waits for a connection to end
/// since that was so once (at_limit in its daemon.c), which those of a scraper never do. So one gives its
/// place; where none is left that could, only time helps, and this would be tried again without a pause.
void HttpServer::Impl::let_in() {
  const int code = no_descriptor();
  if (code && !std::exchange(said_shut_out, true))
    spdlog::warn("http: clients have to wait: {}; raise the limit on open files (ulimit -n)",
                 error_name(code));
  if (const auto fd = guard.make_room()) {
    ::shutdown(*fd, SHUT_RDWR);
  } else {
    pollfd news{woken.get(), POLLIN, 0};
    ::poll(&news, 1, kAcceptAgainMs);
  }
}

/// Until libmicrohttpd or the guard has something to do; -1: nothing to wait for but clients.
int HttpServer::Impl::wait_ms() const {
  constexpr int64_t kMost = 60'000;
  int64_t wait = -1;
  if (const auto late = guard.deadline()) {
    const auto left = *late - std::chrono::steady_clock::now();
    wait = std::clamp<int64_t>(std::chrono::ceil<std::chrono::milliseconds>(left).count() + 1, 0, kMost);
  }
  MHD_UNSIGNED_LONG_LONG wanted = 0;
  if (MHD_get_timeout(daemon.get(), &wanted) != MHD_YES) return static_cast<int>(wait);
  const auto most = static_cast<MHD_UNSIGNED_LONG_LONG>(wait < 0 ? kMost : wait);
  return static_cast<int>(std::min(wanted, most));
}

void HttpServer::Impl::take_news() {
  eventfd_t ignored = 0;
  ::eventfd_read(woken.get(), &ignored);
  {
    const std::lock_guard lock(access_mutex);
    access = next_access;
  }
  for (const auto& [ticket, right] : desk->answers()) {
    const auto at = waiting.find(ticket);
    if (at == waiting.end()) continue;
    at->second.second->right = right;
    MHD_resume_connection(at->second.first);
    waiting.erase(at);
  }
}

void HttpServer::Impl::connection_changed(MHD_Connection* connection, MHD_ConnectionNotificationCode code) {
  const int fd = socket_of(connection);
  ++connection_changes;
  if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
    guard.closed(fd);
    return;
  }
  said_shut_out = said_shut_out && no_descriptor() != 0;
  guard.opened(fd, std::chrono::steady_clock::now());
  (void)::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &limits.send_buffer, sizeof limits.send_buffer);
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  if (!info || !info->tls_session || !access->tls) return;
  access->tls->apply(static_cast<gnutls_session_t>(info->tls_session));
  // GnuTLS holds a bare pointer. By the time the descriptor has another connection, this session has ended.
  sessions[fd] = access->tls;
}

/// The reply where the request may not have what it asks for; nothing also where it has to wait.
std::optional<HttpReply> HttpServer::Impl::check_password(MHD_Connection* connection,
                                                          const Request& request) {
  if (access->config.users.empty() || request.right == true) return std::nullopt;
  if (request.right == false) return unauthorized();
  const auto credentials = parse_basic_auth(header(connection, "Authorization"));
  if (!credentials) return unauthorized();
  const auto user = access->config.users.find(credentials->user);
  const bool nobody = user == access->config.users.end();
  const uint64_t ticket = ++last_ticket;
  switch (desk->ask(*credentials, nobody ? access->nobody : user->second, nobody, client_of(connection),
                    ticket)) {
    case PasswordDesk::Answer::right:
      return std::nullopt;
    case PasswordDesk::Answer::wrong:
      return unauthorized();
    case PasswordDesk::Answer::busy:
      return too_many_checks();
    case PasswordDesk::Answer::later:
      break;
  }
  waiting[ticket] = {connection, const_cast<Request*>(&request)};
  MHD_suspend_connection(connection);
  return std::nullopt;
}

MHD_Result HttpServer::Impl::request_begins(MHD_Connection* connection) {
  guard.request(socket_of(connection), std::chrono::steady_clock::now());
  return MHD_YES;
}

/// Called again when the password is checked.
MHD_Result HttpServer::Impl::answer(MHD_Connection* connection, const char* path, const char* method,
                                    Request& request) {
  // Nothing may be thrown through C.
  try {
    guard.request(socket_of(connection), std::chrono::steady_clock::now());
    const size_t waited = waiting.size();
    if (const auto refused = check_password(connection, request)) {
      send(connection, *refused);
    } else if (waiting.size() == waited) {
      send(connection,
           reply_to({text_or_empty(method), text_or_empty(path), header(connection, "Accept-Encoding")},
                    sources));
    }
    return MHD_YES;
  } catch (const std::exception& error) {
    spdlog::error("cannot answer a request: {}", error.what());
  }
  try {
    send(connection, cannot_render());
    return MHD_YES;
  } catch (const std::exception&) {
    return MHD_NO;
  }
}

void HttpServer::Impl::send(MHD_Connection* connection, const HttpReply& reply) {
  const Response response = response_of(reply);
  MHD_add_response_header(response.get(), "X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : access->config.headers) {
    MHD_del_response_header(response.get(), name.c_str(), "nosniff");
    MHD_add_response_header(response.get(), name.c_str(), value.c_str());
  }
  MHD_queue_response(connection, static_cast<unsigned>(reply.status), response.get());
}

Result<HttpServer> HttpServer::start(ListenSocket listening, HttpSources sources,
                                     std::shared_ptr<const WebAccess> access, const HttpLimits& limits) {
  auto impl = std::make_unique<Impl>(std::move(listening), std::move(sources), std::move(access), limits);
  if (auto started = impl->start(); !started) return started.error();
  return HttpServer(std::move(impl));
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::HttpServer(HttpServer&&) noexcept = default;
HttpServer& HttpServer::operator=(HttpServer&&) noexcept = default;
HttpServer::~HttpServer() = default;

void HttpServer::use(std::shared_ptr<const WebAccess> access) {
  {
    const std::lock_guard lock(impl_->access_mutex);
    impl_->next_access = std::move(access);
  }
  impl_->wake();
}

uint16_t HttpServer::port() const {
  return impl_->listening.port;
}

}  // namespace nettoll::exporter
