// SPDX-License-Identifier: Apache-2.0
// SIGWINCH as a descriptor: a loop that polls must not miss that the terminal has another size.
#pragma once

#include "base/result.h"
#include "base/unique_fd.h"

namespace nettoll {

/// Blocks SIGWINCH for this thread and turns it readable.
class WindowSignal {
 public:
  static Result<WindowSignal> take();
  WindowSignal(WindowSignal&&) noexcept = default;
  WindowSignal& operator=(WindowSignal&&) = delete;
  ~WindowSignal();

  int fd() const { return fd_.get(); }
  /// Takes the signals that came, so that fd() is readable for new ones alone.
  void clear();

 private:
  explicit WindowSignal(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace nettoll
