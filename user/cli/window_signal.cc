// SPDX-License-Identifier: Apache-2.0
#include "cli/window_signal.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace nettoll {
namespace {

sigset_t window_set() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGWINCH);
  return set;
}

}  // namespace

Result<WindowSignal> WindowSignal::take() {
  const sigset_t set = window_set();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  UniqueFd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) return system_error("cannot watch the size of the terminal", errno);
  return WindowSignal(std::move(fd));
}

WindowSignal::~WindowSignal() {
  if (!fd_) return;
  const sigset_t set = window_set();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void WindowSignal::clear() {
  signalfd_siginfo taken;
  while (::read(fd_.get(), &taken, sizeof(taken)) == static_cast<ssize_t>(sizeof(taken))) {
  }
}

}  // namespace nettoll
