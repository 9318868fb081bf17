// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/connection_guard.h"

#include <algorithm>
#include <utility>

namespace nettoll::exporter {

void ConnectionGuard::opened(int fd, Time now) {
  connections_[fd] = {Phase::fresh, now, false};
}

void ConnectionGuard::request(int fd, Time now) {
  enter(fd, Phase::replying, now);
}

void ConnectionGuard::replied(int fd, Time now) {
  enter(fd, Phase::between, now);
}

void ConnectionGuard::enter(int fd, Phase phase, Time now) {
  const auto at = connections_.find(fd);
  if (at == connections_.end()) return;
  at->second.phase = phase;
  at->second.since = now;
}

std::chrono::milliseconds ConnectionGuard::limit_of(Phase phase) const {
  switch (phase) {
    case Phase::fresh:
      return limits_.first_request;
    case Phase::between:
      return limits_.next_request;
    case Phase::replying:
      break;
  }
  return limits_.reply;
}

bool ConnectionGuard::goes_before(const Connection& a, const Connection& b) {
  return a.phase != b.phase ? a.phase > b.phase : a.since < b.since;
}

std::optional<ConnectionGuard::Time> ConnectionGuard::deadline() const {
  std::optional<Time> first;
  for (const auto& [fd, connection] : connections_) {
    const Time late = connection.since + limit_of(connection.phase);
    if (!connection.condemned && (!first || late < *first)) first = late;
  }
  return first;
}

std::vector<int> ConnectionGuard::take_condemned(Time now) {
  std::vector<int> condemned;
  const auto condemn = [&](int fd, Connection& connection) {
    connection.condemned = true;
    condemned.push_back(fd);
  };
  std::vector<std::pair<int, Connection*>> left;
  for (auto& [fd, connection] : connections_) {
    if (connection.condemned) continue;
    if (now - connection.since > limit_of(connection.phase))
      condemn(fd, connection);
    else
      left.emplace_back(fd, &connection);
  }
  if (left.size() <= limits_.connections) return condemned;
  std::sort(left.begin(), left.end(),
            [](const auto& a, const auto& b) { return goes_before(*a.second, *b.second); });
  left.resize(left.size() - limits_.connections);
  for (const auto& [fd, connection] : left) condemn(fd, *connection);
  return condemned;
}

std::optional<int> ConnectionGuard::make_room() {
  auto first = connections_.end();
  for (auto at = connections_.begin(); at != connections_.end(); ++at) {
    if (at->second.condemned) continue;
    if (first == connections_.end() || goes_before(at->second, first->second)) first = at;
  }
  if (first == connections_.end()) return std::nullopt;
  first->second.condemned = true;
  return first->first;
}

}  // namespace nettoll::exporter
