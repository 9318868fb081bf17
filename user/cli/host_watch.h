// SPDX-License-Identifier: Apache-2.0
// Readings of this host on a thread of their own: with many devices, or where others hold the kernel's lock
// of devices (rtnl), one takes long.
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "base/kernel_fs.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "cli/host_reader.h"
#include "model/host_state.h"

namespace nettoll {

/// What a reading gave, and what it took.
struct HostReading {
  std::optional<HostState> window;  ///< since the reading before; empty for the first
  std::chrono::nanoseconds cpu{0};  ///< CPU time of the reading
};

/// One reading at a time. Not for several threads.
class HostWatch {
 public:
  static Result<std::unique_ptr<HostWatch>> create(const KernelFs& fs);
  HostWatch(const HostWatch&) = delete;
  HostWatch& operator=(const HostWatch&) = delete;

  /// Begins a reading, unless one is going on. Where no thread can be had for it, it has failed at once.
  void begin();
  /// Becomes readable when the reading is done.
  int fd() const { return done_.get(); }
  bool done() const { return finished_; }
  /// The reading that is done. After an error the next reading is a first one again.
  Result<HostReading> take();

 private:
  HostWatch(const KernelFs& fs, UniqueFd done) : fs_(fs), done_(std::move(done)) {}
  Result<HostReading> read();
  void finish();

  KernelFs fs_;
  UniqueFd done_;
  std::optional<HostReader> reader_;
  std::atomic<bool> finished_ = false;
  std::future<Result<HostReading>> reading_;  ///< last: it ends before what it uses
};

}  // namespace nettoll
