// SPDX-License-Identifier: Apache-2.0
// What the server answers to which request. No sockets.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "exporters/prometheus/snapshot.h"

namespace nettoll::exporter {

/// The parts of a request that matter here.
struct HttpRequest {
  std::string_view method;
  std::string_view path;  ///< decoded, without the query
  std::string_view accept_encoding;
};

/// The body is shared so that a snapshot is sent without a copy. A HEAD request gets the same head, and no
/// body.
struct HttpReply {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  bool gzip = false;    ///< Content-Encoding: gzip
  bool varies = false;  ///< Vary: Accept-Encoding
  bool allow = false;   ///< Allow: GET, HEAD
  bool retry = false;   ///< Retry-After: 1
  std::shared_ptr<const std::string> body;
};

/// What the replies are made of.
struct HttpSources {
  std::function<std::shared_ptr<const Snapshot>()> scrape;
  std::function<Health()> health;
  std::string version;
};

/// /metrics, /healthz and /; GET and HEAD only.
HttpReply reply_to(const HttpRequest& request, const HttpSources& sources);

/// 401, for who showed no password, or a wrong one.
HttpReply unauthorized();
/// 503, for whom others with passwords to check came before.
HttpReply too_many_checks();
/// 500.
HttpReply cannot_render();

/// Whether an Accept-Encoding header (RFC 9110, 12.5.3) allows gzip: named or "*", with a weight above 0.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace nettoll::exporter
