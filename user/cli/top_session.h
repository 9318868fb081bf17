// SPDX-License-Identifier: Apache-2.0
// A live run of `nettoll top`: windows with their costs, and findings of windows that are long enough.
#pragma once

#include <poll.h>

#include <chrono>
#include <memory>
#include <optional>
#include <span>

#include "base/result.h"
#include "cli/host_reader.h"
#include "cli/live_session.h"
#include "host/netns_names.h"
#include "model/profile_sum.h"
#include "tui/data.h"

namespace nettoll {

class TopSession {
 public:
  /// Rules judge no window that is shorter: below, a few packets would decide.
  static constexpr std::chrono::seconds kJudgedWindow{5};

  static Result<TopSession> start(const TraceOptions& options, const KernelFs& fs);

  /// See LiveSession::wait.
  Result<bool> wait(int timeout_ms, std::span<pollfd> extra) { return session_.wait(timeout_ms, extra); }
  /// One refresh: what happened since the last.
  Result<std::shared_ptr<tui::TopData>> read();

 private:
  TopSession(LiveSession session, HostReader host) : session_(std::move(session)), host_(std::move(host)) {}

  Status judge(const Profile& window);

  LiveSession session_;
  HostReader host_;
  NetnsNamer netns_{KernelFs{}};
  std::chrono::steady_clock::time_point host_read_;
  /// kJudgedWindow, or as much longer as keeps what judging costs within bounds on a host of many devices.
  std::chrono::nanoseconds judged_every_ = kJudgedWindow;
  /// Windows since the host was read; the next judgement is of them.
  ProfileSum unjudged_;
  std::optional<tui::Judgement> judgement_;
  std::chrono::nanoseconds cpu_{0};  ///< of this process, at the last refresh
};

}  // namespace nettoll
