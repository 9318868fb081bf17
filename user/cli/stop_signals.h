// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP as a descriptor, so that loops end cleanly.
#pragma once

#include <optional>

#include "base/result.h"
#include "base/unique_fd.h"

namespace nettoll {

/// Blocks SIGINT, SIGTERM and, where it is not ignored, SIGHUP for this thread and those it starts, and turns
/// them readable. The mask of before comes back with the object.
class StopSignals {
 public:
  static Result<StopSignals> take();
  StopSignals(StopSignals&&) noexcept;
  StopSignals& operator=(StopSignals&&) = delete;
  ~StopSignals();

  int fd() const { return fd_.get(); }
  /// The number of a signal that came; nothing where none is left.
  std::optional<int> next();
  /// Sets the calling thread's mask back, for a child about to exec.
  static void unblock();

 private:
  explicit StopSignals(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace nettoll
