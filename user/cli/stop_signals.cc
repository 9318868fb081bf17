// SPDX-License-Identifier: Apache-2.0
#include "cli/stop_signals.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace nettoll {
namespace {

sigset_t stop_set() {
  sigset_t set;
  sigemptyset(&set);
  // A terminal that goes away must not take an hour's recording along, unless nohup(1) asked for just that. A
  // script's shell ignores SIGINT for what it runs in the background (POSIX sh, 2.11), and then sends it:
  // `kill -INT` ends this as it ends perf and tcpdump. Blocked, it is readable though ignored (sig_ignored(),
  // kernel/signal.c).
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  struct sigaction hangup = {};
  if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

Result<StopSignals> StopSignals::take() {
  const sigset_t set = stop_set();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  UniqueFd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) {
    const int code = errno;
    unblock();
    return system_error("cannot watch signals", code);
  }
  return StopSignals(std::move(fd));
}

StopSignals::StopSignals(StopSignals&&) noexcept = default;

StopSignals::~StopSignals() {
  if (!fd_) return;
  // A signal that is still pending would end the process as soon as it is unblocked, and with a status that
  // hides that all went well.
  while (next()) {
  }
  unblock();
}

std::optional<int> StopSignals::next() {
  signalfd_siginfo taken;
  if (::read(fd_.get(), &taken, sizeof(taken)) != static_cast<ssize_t>(sizeof(taken))) return std::nullopt;
  return static_cast<int>(taken.ssi_signo);
}

void StopSignals::unblock() {
  const sigset_t set = stop_set();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace nettoll
