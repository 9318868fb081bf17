// SPDX-License-Identifier: Apache-2.0
// SIGPIPE, put off.
#pragma once

#include <csignal>

namespace nettoll {

/// While it lives, writing to a pipe that nobody reads fails with EPIPE. SIGPIPE, unless it is ignored, comes
/// when the object goes, and ends the process then as it does any program in front of head(1).
class PipeSignalLater {
 public:
  PipeSignalLater();
  PipeSignalLater(const PipeSignalLater&) = delete;
  PipeSignalLater& operator=(const PipeSignalLater&) = delete;
  ~PipeSignalLater();

 private:
  sigset_t before_;
};

}  // namespace nettoll
