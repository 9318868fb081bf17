// SPDX-License-Identifier: Apache-2.0
// Which connections have to go: those that took too long, and those that are too many. No sockets, no clock.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "exporters/prometheus/http_limits.h"

namespace nettoll::exporter {

/// Follows each connection through its requests. A client that sends a byte now and then is as idle as one
/// that sends none: what counts is when a request is complete.
class ConnectionGuard {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit ConnectionGuard(const HttpLimits& limits) : limits_(limits) {}

  void opened(int fd, Time now);
  /// The head of a request is complete.
  void request(int fd, Time now);
  /// Its reply is, or will never be.
  void replied(int fd, Time now);
  void closed(int fd) { connections_.erase(fd); }

  /// Those to shut down now, each one once: late ones, and as many as are over the limit. Of these, first
  /// those that never made a request, then those between requests, then those that read a reply; the longest
  /// there first.
  std::vector<int> take_condemned(Time now);
  /// Where there is no descriptor for a client that waits: the one that would go first if there were too
  /// many. Nothing where none is left that is not condemned.
  std::optional<int> make_room();
  /// Whether one more would be too many.
  bool full() const { return connections_.size() >= limits_.connections; }
  /// When the next one will be late; nothing where none can be.
  std::optional<Time> deadline() const;

 private:
  enum class Phase { replying, between, fresh };
  struct Connection {
    Phase phase = Phase::fresh;
    Time since;
    bool condemned = false;
  };
  /// Which of two has to go first.
  static bool goes_before(const Connection& a, const Connection& b);
  std::chrono::milliseconds limit_of(Phase phase) const;
  void enter(int fd, Phase phase, Time now);

  HttpLimits limits_;
  std::map<int, Connection> connections_;
};

}  // namespace nettoll::exporter
