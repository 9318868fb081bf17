// SPDX-License-Identifier: Apache-2.0
// The HTTP server of `serve`: CivetWeb behind an owner.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "exporters/prometheus/http_reply.h"
#include "exporters/prometheus/listen_address.h"

namespace nettoll::exporter {

/// A listening server with a few threads; stops when it goes, after the requests in progress. Its threads
/// block all signals, so that the program's own thread gets them. It serves no files and keeps no log.
class HttpServer {
 public:
  /// Listens and serves. `sources` are called from the server's threads. The error says why the address
  /// cannot be had.
  static Result<HttpServer> start(const ListenAddress& address, HttpSources sources);

  HttpServer(HttpServer&&) noexcept;
  HttpServer& operator=(HttpServer&&) noexcept;
  ~HttpServer();

  /// The port that is listened on, also where 0 was asked for.
  uint16_t port() const;

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace nettoll::exporter
