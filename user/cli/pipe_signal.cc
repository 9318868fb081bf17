// SPDX-License-Identifier: Apache-2.0
#include "cli/pipe_signal.h"

#include <pthread.h>

namespace nettoll {

PipeSignalLater::PipeSignalLater() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &set, &before_);
}

PipeSignalLater::~PipeSignalLater() {
  if (sigismember(&before_, SIGPIPE) == 1) return;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace nettoll
