// SPDX-License-Identifier: Apache-2.0
// A live run from kernel to Profile: where collect and symbolize meet.
#pragma once

#include <poll.h>

#include <chrono>
#include <memory>
#include <span>
#include <string>

#include "base/kernel_fs.h"
#include "base/result.h"
#include "cli/trace_options.h"
#include "collect/collector.h"
#include "model/profile.h"
#include "symbolize/symbolizer.h"

namespace nettoll {

/// Owns a running collector and the symbolizer of what it collects.
class LiveSession {
 public:
  /// Checks the rights, then loads, attaches and starts. An event named by -e that does not run here is an
  /// error; one of the defaults is not. `tap`, which must outlive the session, sees its first record in the
  /// first wait() or read().
  static Result<LiveSession> start(const TraceOptions& options, const KernelFs& fs, RecordTap* tap = nullptr);

  /// See Collector::wait. Follows modules that came or went, too.
  Result<bool> wait(int timeout_ms, std::span<pollfd> extra);
  /// One window: what happened since the last call, with names.
  Result<Profile> read();
  /// See Collector, of these.
  Status measure_costs();
  OwnLoad take_own_load() { return collector_.take_own_load(); }
  uint32_t most_halvings() const { return collector_.most_halvings(); }
  void halve_rates(uint32_t halvings);
  /// See Collector. Of a window in which a function is counted in part its description says so.
  Status shed_hooks(const std::vector<uint32_t>& rows);
  /// See Collector.
  Status begin_slice(std::chrono::nanoseconds room) { return collector_.begin_slice(room, fs_); }
  void end_slice() { collector_.end_slice(); }
  std::vector<EstimatedCalls> take_estimates() { return collector_.take_estimates(); }
  void stop_sampling() { collector_.stop_sampling(); }
  const Session& session() const { return session_; }
  /// By event of session(): what the kernel was asked for.
  std::vector<perf_event_attr> sampled_attrs() const { return collector_.sampled_attrs(); }

 private:
  LiveSession(Collector collector, std::unique_ptr<Symbolizer> symbolizer, Session session)
      : collector_(std::move(collector)), symbolizer_(std::move(symbolizer)), session_(std::move(session)) {}

  void follow_modules();
  Status count_anew(const std::vector<std::string>& arrived);
  void follow_counting();
  void describe_functions();

  KernelFs fs_;
  Collector collector_;
  std::unique_ptr<Symbolizer> symbolizer_;
  Session session_;
  std::vector<std::string> named_;  ///< functions that were asked for by name
  std::vector<std::string> notes_;  ///< of the collector
  bool partial_ = false;            ///< some functions were counted in a part of this window alone
  std::string modules_;             ///< fingerprint of those that the functions were looked for in
  std::chrono::steady_clock::time_point modules_read_;
};

}  // namespace nettoll
