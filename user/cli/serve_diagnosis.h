// SPDX-License-Identifier: Apache-2.0
// Diagnosis over and over, while serve traces.
#pragma once

#include <chrono>
#include <memory>

#include "cli/host_watch.h"
#include "exporters/prometheus/snapshot.h"
#include "model/profile.h"
#include "model/profile_sum.h"

namespace nettoll {

/// Closes a window of the host's counters and of the trace at the same time, again and again. Readings of the
/// host run on a thread of their own; when one is done the trace has to be read at once.
class ServeDiagnosis {
 public:
  using Clock = std::chrono::steady_clock;

  static Result<std::unique_ptr<ServeDiagnosis>> create(const KernelFs& fs,
                                                        std::chrono::nanoseconds interval);

  /// Another time between windows, from the next one on.
  void ask(std::chrono::nanoseconds interval);
  /// Begins a reading of the host where one is due. Returns when to call again at the latest.
  Clock::time_point step(Clock::time_point now);
  /// Becomes readable when the trace has to be read.
  int fd() const { return watch_->fd(); }
  bool host_was_read() const { return watch_->done(); }
  /// A window of the trace, each one. `closes` is what host_was_read() was just before it was read: then it
  /// is the last of the window of diagnosis.
  void add(const Profile& profile, bool closes, exporter::Exposition& exposition);

 private:
  ServeDiagnosis(std::unique_ptr<HostWatch> watch, std::chrono::nanoseconds interval)
      : watch_(std::move(watch)), asked_(interval), interval_(interval) {}
  void set_interval();
  void failed(const Error& error, exporter::Exposition& exposition);

  std::unique_ptr<HostWatch> watch_;
  std::chrono::nanoseconds asked_;
  std::chrono::nanoseconds interval_;  ///< in use
  std::chrono::nanoseconds cpu_{0};    ///< what this window took
  Clock::time_point due_;
  bool reading_ = false;
  bool open_ = false;  ///< a window is: the host was read at its beginning
  bool said_failed_ = false;
  bool said_stretched_ = false;
  ProfileSum trace_;
};

}  // namespace nettoll
