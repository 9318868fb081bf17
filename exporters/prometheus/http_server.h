// SPDX-License-Identifier: Apache-2.0
// The HTTP server of `serve`: GNU libmicrohttpd behind an owner.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "exporters/prometheus/http_limits.h"
#include "exporters/prometheus/http_reply.h"
#include "exporters/prometheus/listen_socket.h"
#include "exporters/prometheus/web_access.h"

namespace nettoll::exporter {

/// Serves on one thread, which waits for all connections at once (epoll): a client that stalls costs memory,
/// and that is bounded, but no thread. A second thread checks passwords. Both block all signals and have no
/// capabilities. It serves no files and keeps no log.
class HttpServer {
 public:
  /// Begins to serve. `sources` are called from the server's thread. `access` says whether by TLS, and to
  /// whom.
  static Result<HttpServer> start(ListenSocket listening, HttpSources sources,
                                  std::shared_ptr<const WebAccess> access, const HttpLimits& limits = {});

  HttpServer(HttpServer&&) noexcept;
  HttpServer& operator=(HttpServer&&) noexcept;
  /// Ends connections and requests in progress with it.
  ~HttpServer();

  /// Goes by other users, headers and certificates from the next request or connection on. Whether there is
  /// TLS at all stays as it was at the start.
  void use(std::shared_ptr<const WebAccess> access);

  /// The port that is listened on.
  uint16_t port() const;

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace nettoll::exporter
